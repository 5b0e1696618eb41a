// Arrow arrays as cells.
#pragma once

#include <arrow/type_fwd.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/byte_file.h"
#include "table/table_file.h"

namespace fsieve::io {

// Whether the type is one of numbers or text (or of nothing but missing values).
[[nodiscard]] bool is_usable(const arrow::DataType& type);

// One entry per field of the schema.
[[nodiscard]] std::vector<FileColumn> file_columns(const arrow::Schema& schema);

void array_to_cells(const arrow::Array& array, Cells& cells);

// A reader over record batches whose columns are those of the request in file order.
struct BatchSource {
  // The next batch, or nothing at the end.
  std::function<std::shared_ptr<arrow::RecordBatch>()> next;
  std::uint64_t rows_before = 0;   // rows of the file before the first batch
  std::uint64_t rows_in_file = 0;  // 0: not known
  std::function<double()> part_done;
};

[[nodiscard]] std::unique_ptr<ChunkReader> read_batches(std::shared_ptr<const ByteFile> file,
                                                        BatchSource source, ReadRequest request);

// The columns of a request in file order, each once, as selections by position need them.
[[nodiscard]] std::vector<int> sorted_columns(const ReadRequest& request);

}  // namespace fsieve::io
