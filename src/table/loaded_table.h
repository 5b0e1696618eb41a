// A scanned table whose values are in memory, made into a source.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "fsieve/source.h"
#include "table/table_scan.h"

namespace fsieve::io::inline table {

// Which rows have a value in every column (1) and which do not (0). Passengers do not count.
[[nodiscard]] std::vector<char> complete_rows(HeldValues& values, const TableLayout& layout);

// Drops incomplete rows, or fills in what is missing.
void settle_missing(HeldValues& values, const TableLayout& layout);

// Settles missing values as a pass over the file would. `table.values` must be there.
[[nodiscard]] std::unique_ptr<MemorySource> load_values(ScannedTable table,
                                                        std::string_view file_name);

[[noreturn]] void fail_no_complete_row(std::string_view file_name, const TableLayout& layout);

}  // namespace fsieve::io::table
