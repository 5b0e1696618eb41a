// Rows of weight 0 are absent.
#pragma once

#include <memory>

#include "fsieve/source.h"

namespace fsieve::inline source {

// A copy of a source in memory without the rows of weight 0 and the levels that only these have;
// null where every row has a weight.
[[nodiscard]] std::unique_ptr<MemorySource> present_rows(const Source& source);

}  // namespace fsieve::source
