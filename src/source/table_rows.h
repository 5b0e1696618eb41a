// Some rows of a table as a table of their own.
#pragma once

#include <memory>
#include <vector>

#include "fsieve/source.h"

namespace fsieve::inline source {

// `source` is in memory. Columns keep their levels, whether or not these occur in the rows.
[[nodiscard]] std::unique_ptr<MemorySource> table_rows(const Source& source,
                                                       const std::vector<std::size_t>& rows);

}  // namespace fsieve::source
