// Files in and out: CSV/TSV (plain, gzip, zstd), Parquet, Feather/Arrow IPC, NumPy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fsieve/checkpoint.h"
#include "fsieve/run_context.h"
#include "fsieve/source.h"

namespace fsieve {

enum class Missing { error, drop, mean };

struct ReadOptions {
  std::optional<std::string> label;
  bool label_may_be_absent = false;      // the table then has none
  std::vector<std::string> columns;      // globs; empty: all
  bool literal_columns = false;          // they are names, whatever characters these hold
  std::vector<std::string> exclude;      // globs
  std::vector<std::string> categorical;  // globs
  // The columns (names) that something is computed from, the label beside them; none: all. The
  // others are not looked at: they stay in the file, for beside_file.
  std::optional<std::vector<std::string>> needed;
  // With `needed`: a column that is read too if it is there, whatever is in its cells. Missing ones
  // are NaN in a block, and infinities stay.
  std::optional<std::string> compared;
  // Columns that name the rows, or that are mostly missing, become Schema::ignored; but not those
  // that match one of `use` or `named`, those in `categorical`, and those that `columns` names in
  // full. So do, whatever names them, columns of ids that are one number as doubles.
  bool set_aside = false;
  // Levels of a category of many that few rows have are one level together: Column::pooled.
  bool pool_levels = false;
  std::vector<std::string> use;    // globs
  std::vector<std::string> named;  // globs: columns that the method has been told something about
  Missing missing = Missing::error;
  std::vector<std::string> na;    // texts that count as missing besides the empty field
  std::optional<char> delimiter;  // none: detected
  std::optional<char> decimal;    // ',' or '.'; none: detected, '.' in other than text files
  std::optional<bool> header;     // none: detected
  std::uint64_t first_row = 1;    // data rows, counted from 1, both ends included
  std::uint64_t last_row = UINT64_MAX;
};

struct InputTable {
  std::unique_ptr<Source> source;
  std::vector<std::string> warnings;  // what was decided and the user should know: "no header row"
};

// Opens a file ("-": standard input, CSV). A table that decodes to more than the memory of the
// context is never held whole.
[[nodiscard]] InputTable open_table(const std::string& path, const ReadOptions& options = {},
                                    const RunContext& context = {});

// Writes some columns of a source (positions in a block, in this order) to a file whose extension
// says the format. The file appears whole or not at all. Columns of an opened file keep their
// values, types and (CSV to CSV) spelling: they are read from it once more.
void write_table(const std::string& path, const Source& source,
                 const std::vector<std::size_t>& columns, const RunContext& context = {});

// A table for write_table: the columns of the file that `table` was opened from, in file order and
// as they stand there, those that ReadOptions::needed left out included; behind them some columns
// of `computed`, which has the same rows. Both must outlive it.
[[nodiscard]] std::unique_ptr<Source> beside_file(const Source& table, const Source& computed,
                                                  const std::vector<std::size_t>& columns);

// The number of a row of an opened table in its file, as messages count (from 1). `row` counts the
// rows of the table from 0: others may have been left out by ReadOptions.
[[nodiscard]] std::uint64_t row_in_file(const Source& table, std::size_t row);

// Writes a small file (a result, a model) that appears whole or not at all.
void write_file_atomically(const std::string& path, std::string_view text);

// The state of a long search in a file.
[[nodiscard]] std::unique_ptr<Checkpoint> checkpoint_file(const std::string& path);

}  // namespace fsieve
