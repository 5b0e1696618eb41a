// Writers of the output formats: columns first, then blocks, then the end.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "fsieve/source.h"
#include "io/atomic_file.h"
#include "io/file_format.h"

namespace fsieve::io {

class TableWriter {
 public:
  virtual ~TableWriter() = default;
  // The columns asked for, in their order.
  virtual void write(const Block& block) = 0;
  virtual void finish() = 0;
};

struct WriterColumns {
  std::vector<Column> columns;
  std::vector<std::size_t> positions;  // of each in a block
  std::size_t rows = 0;
};

// `sink` must outlive the writer.
std::unique_ptr<TableWriter> make_csv_writer(ByteSink& sink, char delimiter, WriterColumns columns);
std::unique_ptr<TableWriter> make_json_writer(ByteSink& sink, WriterColumns columns);
std::unique_ptr<TableWriter> make_npy_writer(ByteSink& sink, const std::string& path,
                                             WriterColumns columns);
std::unique_ptr<TableWriter> make_parquet_writer(ByteSink& sink, const std::string& path,
                                                 WriterColumns columns);
std::unique_ptr<TableWriter> make_ipc_writer(ByteSink& sink, const std::string& path,
                                             WriterColumns columns);

// Compresses what is written to it; finish() writes what is left.
class CompressingSink : public ByteSink {
 public:
  virtual void finish() = 0;
};
std::unique_ptr<CompressingSink> make_compressing_sink(ByteSink& sink, Compression compression,
                                                       const std::string& path);

}  // namespace fsieve::io
