// Writers of the output formats: names first, then rows, then the end.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "fsieve/source.h"
#include "io/file_format.h"
#include "table/original_column.h"

namespace fsieve::io {

// Row i of the rows to be written is row first + i of these cells.
struct WrittenColumn {
  const OriginalColumn* cells = nullptr;
  std::size_t first = 0;
};

struct WrittenRows {
  std::size_t rows = 0;
  std::vector<WrittenColumn> columns;
};

class TableWriter {
 public:
  virtual ~TableWriter() = default;
  // The columns asked for, in their order. What the types are is told by the first rows.
  virtual void write(const WrittenRows& rows) = 0;
  virtual void finish() = 0;
};

struct WriterColumns {
  std::vector<std::string> names;
  std::size_t rows = 0;
};

// `sink` must outlive the writer.
std::unique_ptr<TableWriter> make_csv_writer(ByteSink& sink, char delimiter,
                                             const WriterColumns& columns);
std::unique_ptr<TableWriter> make_json_writer(ByteSink& sink, const std::string& path,
                                              WriterColumns columns);
std::unique_ptr<TableWriter> make_npy_writer(ByteSink& sink, const std::string& path,
                                             WriterColumns columns);
std::unique_ptr<TableWriter> make_parquet_writer(ByteSink& sink, const std::string& path,
                                                 WriterColumns columns);
std::unique_ptr<TableWriter> make_ipc_writer(ByteSink& sink, const std::string& path,
                                             WriterColumns columns);

// Text that was passed through may be anything.
[[noreturn]] void fail_not_utf8(const std::string& path, const std::string& column);

// Compresses what is written to it; finish() writes what is left.
class CompressingSink : public ByteSink {
 public:
  virtual void finish() = 0;
};
std::unique_ptr<CompressingSink> make_compressing_sink(ByteSink& sink, Compression compression,
                                                       const std::string& path);

}  // namespace fsieve::io
