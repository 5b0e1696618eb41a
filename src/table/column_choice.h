// Which columns of a file are used, by --label, --columns, --exclude and --categorical.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fsieve/io.h"
#include "table/dates.h"
#include "table/table_file.h"

namespace fsieve::io::inline table {

struct ChosenColumn {
  std::string name;
  std::size_t index = 0;  // position in the file
  bool is_label = false;
  bool as_levels = false;  // named by --categorical
  bool passenger = false;  // ReadOptions::compared: nothing in its cells is an error
  bool is_read = true;     // false: ReadOptions::needed leaves it out
  bool wanted = false;     // named by --use or in full by --columns: never set aside
  bool is_date = false;    // its numbers are days since 1970-01-01
  // Parts of a date that ReadOptions::needed names; none: those that come back.
  std::optional<std::vector<DatePart>> parts = std::nullopt;
};

// The features in file order, then the label. "when.month" stands for the column "when" where
// there is no column of that name. Throws on names and globs that match nothing, on two
// columns of one name, and when no feature is left.
[[nodiscard]] std::vector<ChosenColumn> choose_columns(std::string_view file_name,
                                                       const std::vector<FileColumn>& columns,
                                                       const ReadOptions& options);

}  // namespace fsieve::io::table
