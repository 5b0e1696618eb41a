// Files with the same columns as one table: their rows, one file after the other.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "table/table_file.h"

namespace fsieve::io {

struct TablePart {
  std::string name;  // as messages call the file
  std::uint64_t bytes = 0;
  std::unique_ptr<TableFile> file;
};

// Columns go by their names and come in the order of the first part. Throws where a part has
// others.
[[nodiscard]] std::unique_ptr<TableFile> join_files(std::vector<TablePart> parts);

}  // namespace fsieve::io
