// How many cells of a table have no value, for those who describe the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace fsieve::io::inline table {

struct MissingCells {
  std::uint64_t rows = 0;  // that were looked at, those that are dropped included
  // By place in the file, of the columns that have any: those that are set aside too.
  std::map<std::size_t, std::uint64_t> of_column;
};

}  // namespace fsieve::io::table
