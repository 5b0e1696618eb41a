// Columns in someone else's memory as a source.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fsieve/io.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"
#include "table/held_column.h"
#include "table/missing_cells.h"

namespace fsieve::io::inline table {

struct NamedColumn {
  std::string name;
  std::shared_ptr<const HeldColumn> cells;
  std::string unusable_type;  // not empty: the name of a type that is neither number nor text
  bool is_date = false;       // its numbers are days since 1970-01-01
};

struct OpenedColumns {
  std::unique_ptr<Source> source;
  // The rows that are left where some were left out, ascending; empty when none was dropped.
  std::vector<std::size_t> kept_rows;
  std::vector<std::string> warnings;  // what was decided and the user should know
  MissingCells missing;
};

// What open_table does for a file: types, levels and missing values are settled by the same rules,
// and what is wrong is said in the same words. Columns of numbers without missing values are never
// copied as a whole; others are held decoded.
[[nodiscard]] OpenedColumns open_columns(const std::string& name,
                                         const std::vector<NamedColumn>& columns,
                                         const ReadOptions& options, Progress& progress);

}  // namespace fsieve::io::table
