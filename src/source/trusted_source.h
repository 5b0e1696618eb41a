// Sources of fsieve itself, whose blocks need no check.
#pragma once

#include "fsieve/source.h"

namespace fsieve {

// Keeps the promises of source.h and one more, so that blocks are worked on side by side without a
// copy: what a block shows lives until that same block is filled again, or the source goes.
class TrustedSource : public Source {};

// Whether it is one of these, or a MemorySource, or a WeightedSource of such a one.
[[nodiscard]] bool is_trusted(const Source& source);

}  // namespace fsieve
