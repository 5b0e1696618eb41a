// Cells without a value: what stands for them among numbers, and how many a table has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>

namespace fsieve::io::inline table {

inline constexpr double missing_value = std::numeric_limits<double>::quiet_NaN();

// For those who describe the table.
struct MissingCells {
  std::uint64_t rows = 0;  // that were looked at, those that are dropped included
  // By place in the file, of the columns that have any: those that are set aside too.
  std::map<std::size_t, std::uint64_t> of_column;
};

}  // namespace fsieve::io::table
