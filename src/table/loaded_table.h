// A scanned table whose values are in memory, made into a source.
#pragma once

#include <memory>
#include <string_view>

#include "fsieve/source.h"
#include "table/table_scan.h"

namespace fsieve::io {

// Settles missing values as a pass over the file would. `table.values` must be there.
[[nodiscard]] std::unique_ptr<MemorySource> load_values(ScannedTable table,
                                                        std::string_view file_name);

[[noreturn]] void fail_no_complete_row(std::string_view file_name);

}  // namespace fsieve::io
