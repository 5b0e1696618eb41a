// Options of a selection that do not fit together.
#pragma once

#include "fsieve/sffs.h"

namespace fsieve::inline methods {

// Throws Error(usage).
void check_options(const SffsOptions& options);

}  // namespace fsieve::methods
