#include "table/loaded_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/shown_text.h"
#include "fsieve/error.h"
#include "source/known_table.h"
#include "table/unused_levels.h"

namespace fsieve::io::inline table {
namespace {

void drop_incomplete_rows(HeldValues& values, const TableLayout& layout) {
  const std::vector<char> complete = complete_rows(values, layout);
  for (std::size_t j = 0; j < layout.schema.columns(); ++j) {
    const auto column = values.column(j);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < column.size(); ++i) {
      column[kept] = column[i];
      kept += complete[i];
    }
  }
  values.shorten(static_cast<std::size_t>(std::count(complete.begin(), complete.end(), 1)));
}

void drop_unused_levels(HeldValues& values, TableLayout& layout) {
  UsedLevels used(layout.schema);
  for (std::size_t j = 0; j < layout.schema.columns(); ++j) {
    used.add(j, values.column(j));
    const std::vector<double> translation = used.remove_unused(j, layout.column(j));
    if (translation.empty()) continue;
    for (double& value : values.column(j)) {
      if (!std::isnan(value)) value = translation[static_cast<std::size_t>(value)];
    }
  }
}

}  // namespace

std::vector<char> complete_rows(HeldValues& values, const TableLayout& layout) {
  std::vector<char> complete(values.rows(), 1);
  for (std::size_t j = 0; j < layout.schema.columns(); ++j) {
    if (!layout.rows_need[j]) continue;
    const auto column = values.column(j);
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (std::isnan(column[i])) complete[i] = 0;
    }
  }
  return complete;
}

void settle_missing(HeldValues& values, const TableLayout& layout) {
  if (!layout.any_missing) return;
  if (layout.drops_rows()) drop_incomplete_rows(values, layout);
  if (layout.missing != Missing::mean) return;
  for (std::size_t j = 0; j < layout.schema.columns(); ++j) {
    for (double& value : values.column(j)) {
      if (std::isnan(value)) value = layout.fill[j];
    }
  }
}

std::unique_ptr<MemorySource> load_values(ScannedTable table, std::string_view file_name) {
  HeldValues& values = *table.values;
  TableLayout& layout = table.layout;
  settle_missing(values, layout);
  if (layout.drops_rows()) {
    if (values.rows() == 0) fail_no_complete_row(file_name, layout);
    drop_unused_levels(values, layout);
  }
  const std::size_t rows = values.rows();
  return known_table(std::move(layout.schema), values.close(), rows);
}

void fail_no_complete_row(std::string_view file_name, const TableLayout& layout) {
  std::vector<std::string> names;
  for (const std::string& name : layout.emptiest)
    names.push_back(fmt::format("\"{}\"", shown(name)));
  const std::string most =
      names.empty() ? "" : fmt::format("; most are missing in {}", fmt::join(names, ", "));
  throw Error(
      fmt::format("{}: every row has a missing value{} (--missing mean fills them in, --exclude "
                  "leaves columns out)",
                  file_name, most));
}

}  // namespace fsieve::io::table
