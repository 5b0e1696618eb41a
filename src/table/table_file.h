// A table of cells, before anything is decided about types. Every file format implements this, and
// so do columns that another program holds in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fsieve/io.h"
#include "table/cell_text.h"
#include "table/original_column.h"

namespace fsieve::io::inline table {

struct FileColumn {
  std::string name;
  std::string
      unusable_type;     // not empty: the file's name for a type that is neither number nor text
  bool is_date = false;  // its numbers are days since 1970-01-01
};

// One column of some rows. Numbers, or text as positions in a table of distinct texts (each text
// is then looked at once, however many rows have it).
struct Cells {
  bool is_text = false;
  bool beyond_exact = false;        // whole numbers among them that a double may not hold
  std::vector<double> numbers;      // NaN: missing
  std::vector<std::int32_t> codes;  // positions in `texts`, kNull: missing
  std::vector<std::string> texts;

  static constexpr std::int32_t kNull = -1;
};

struct Chunk {
  std::uint64_t first_row = 1;  // as messages count: data rows of the file, from 1
  std::size_t rows = 0;
  std::vector<Cells> columns;
  std::vector<std::shared_ptr<const OriginalColumn>> originals;
};

struct ReadRequest {
  std::vector<std::size_t> columns;        // positions in the file, in the order they are wanted
  std::vector<bool> as_text;               // for each: numbers too must come as they are spelled
  std::vector<OriginalRequest> originals;  // columns wanted as they stand in the file
  std::uint64_t first_row = 1;
  std::uint64_t last_row = UINT64_MAX;
};

// One pass over the rows asked for.
class ChunkReader {
 public:
  virtual ~ChunkReader() = default;

  // Fills `chunk` with the next rows, at least one; false after the last.
  virtual bool next(Chunk& chunk) = 0;

  // Rows of the file met so far, those before the first one asked for included. After next() said
  // false this is less than `last_row` only if the file has no more.
  [[nodiscard]] virtual std::uint64_t rows_met() const = 0;

  // How far in the file the reader is.
  [[nodiscard]] virtual std::uint64_t bytes_done() const = 0;

  // Rows in the file where it says so, else 0.
  [[nodiscard]] virtual std::uint64_t rows_in_file() const { return 0; }

  // From now on column `j` of the request is better delivered as text. A format that knows its
  // types need not listen.
  virtual void expect_text(std::size_t /*j*/) {}
};

// Where a row stands in one of the files that make up a table.
struct RowPlace {
  std::string file;
  std::uint64_t row = 0;  // counted from 1 there
};

class TableFile {
 public:
  virtual ~TableFile() = default;
  [[nodiscard]] virtual const std::vector<FileColumn>& columns() const = 0;
  [[nodiscard]] virtual std::unique_ptr<ChunkReader> read(const ReadRequest& request) const = 0;
  // Whether its cells are texts without a type.
  [[nodiscard]] virtual bool is_text() const { return false; }
  // A row that was met, where the table is made of several files.
  [[nodiscard]] virtual std::optional<RowPlace> place_of(std::uint64_t /*row*/) const {
    return std::nullopt;
  }
};

}  // namespace fsieve::io::table
