// How a CSV file is written: what separates fields, and whether the first row holds names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fsieve/io.h"
#include "table/cell_text.h"

namespace fsieve::io {

struct CsvDialect {
  char delimiter = ',';
  std::vector<std::string> names;  // one per column
  std::size_t data_offset = 0;     // where the first data row begins in the text
  std::size_t line_bytes = 0;      // length of the first row
};

struct CsvRecord {
  std::vector<std::string> fields;  // unquoted
  std::size_t end = 0;              // where the next record begins
  bool complete = false;            // a line end was seen
};

// The first records of a text, at most `limit`; blank lines are no records.
[[nodiscard]] std::vector<CsvRecord> split_records(std::string_view text, char delimiter,
                                                   std::size_t limit);

// Whether a sample of a text is long enough to decide on: two rows and the beginning of a third, or
// a first row with more fields than any table has.
[[nodiscard]] bool is_enough_sample(std::string_view sample, std::optional<char> delimiter);

// What stands before the decimals, by the beginning of a file whose fields commas do not separate:
// a comma where a column of numbers cannot be read otherwise and no number has a point. A warning
// names the column.
[[nodiscard]] char detect_decimal(std::string_view sample, bool is_tsv,
                                  const std::string& file_name, const ReadOptions& options,
                                  std::vector<std::string>& warnings);

// Decides from the beginning of a file. `is_tsv`: the name of the file says that tabs separate.
[[nodiscard]] CsvDialect detect_dialect(std::string_view sample, bool is_tsv,
                                        const std::string& file_name, const ReadOptions& options,
                                        const CellReader& cells,
                                        std::vector<std::string>& warnings);

}  // namespace fsieve::io
