// The rows of a table as they are written. Columns of an opened file come from the file itself,
// read once more beside the choice of rows; all others come from blocks.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "fsieve/source.h"
#include "io/table_writer.h"

namespace fsieve::io {

class WrittenReader {
 public:
  virtual ~WrittenReader() = default;

  // The next rows, at least one; false after the last. They live until the next call.
  virtual bool next(WrittenRows& rows) = 0;
};

// `columns`: positions in a block. `typed`: the format that is written has types, so those of a
// text file must be found out.
[[nodiscard]] std::unique_ptr<WrittenReader> read_written(const Source& source,
                                                          const std::vector<std::size_t>& columns,
                                                          bool typed);

}  // namespace fsieve::io
