// Cells of any sort as an Arrow array, for writing.
#pragma once

#include <arrow/type_fwd.h>

#include <cstddef>
#include <memory>
#include <string>

#include "io/table_writer.h"

namespace fsieve::io {

struct ArrowColumn {
  std::shared_ptr<arrow::Field> field;
  std::shared_ptr<arrow::Array> array;
};

// `rows` cells; `path` is what messages call the file that is written.
[[nodiscard]] ArrowColumn arrow_column(const WrittenColumn& column, std::size_t rows,
                                       const std::string& name, const std::string& path);

}  // namespace fsieve::io
