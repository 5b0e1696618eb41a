#include "io/loaded_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "fsieve/error.h"
#include "io/unused_levels.h"

namespace fsieve::io {
namespace {

std::size_t drop_incomplete_rows(std::vector<std::vector<double>>& columns, std::size_t rows) {
  std::vector<char> complete(rows, 1);
  for (const auto& column : columns) {
    for (std::size_t i = 0; i < rows; ++i) {
      if (std::isnan(column[i])) complete[i] = 0;
    }
  }
  std::size_t kept = 0;
  for (auto& column : columns) {
    kept = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      column[kept] = column[i];
      kept += complete[i];
    }
    column.resize(kept);
  }
  return kept;
}

void drop_unused_levels(std::vector<std::vector<double>>& columns, TableLayout& layout) {
  UsedLevels used(layout.schema);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    used.add(j, columns[j]);
    const std::vector<double> translation = used.remove_unused(j, layout.column(j));
    if (translation.empty()) continue;
    for (double& value : columns[j]) value = translation[static_cast<std::size_t>(value)];
  }
}

}  // namespace

std::unique_ptr<MemorySource> load_values(ScannedTable table, std::string_view file_name) {
  auto& columns = *table.values;
  TableLayout& layout = table.layout;
  if (table.any_missing && layout.missing == Missing::drop) {
    layout.rows = drop_incomplete_rows(columns, layout.rows);
    if (layout.rows == 0) fail_no_complete_row(file_name);
    drop_unused_levels(columns, layout);
  } else if (table.any_missing) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      std::replace_if(
          columns[j].begin(), columns[j].end(), [](double value) { return std::isnan(value); },
          layout.fill[j]);
    }
  }
  // Reserved memory is not touched before it is filled, and each column goes once it is copied: the
  // table is never held twice.
  std::vector<double> values;
  values.reserve(layout.rows * columns.size());
  for (auto& column : columns) {
    values.insert(values.end(), column.begin(), column.end());
    std::vector<double>().swap(column);
  }
  return std::make_unique<MemorySource>(std::move(layout.schema), std::move(values), layout.rows);
}

void fail_no_complete_row(std::string_view file_name) {
  throw Error(fmt::format("{}: every row has a missing value", file_name));
}

}  // namespace fsieve::io
