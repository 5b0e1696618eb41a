#include "source/schema_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <unordered_set>

#include "base/shown_text.h"
#include "fsieve/error.h"

namespace fsieve::inline source {
namespace {

bool is_position(double value, std::size_t levels) {
  return value >= 0 && value < static_cast<double>(levels) && value == std::floor(value);
}

// x - x is 0 for finite numbers alone. Bits are gathered, not branches: this is read for all data.
bool all_finite(std::span<const double> values) {
  bool wrong = false;
  for (const double x : values) wrong |= !(x - x == 0);
  return !wrong;
}

bool all_positions(std::span<const double> values, std::size_t levels) {
  bool wrong = false;
  for (const double x : values) wrong |= !is_position(x, levels);
  return !wrong;
}

void check_levels(const Column& column) {
  const auto& levels = column.levels;
  const auto at = std::adjacent_find(levels.begin(), levels.end(), std::greater_equal<>());
  if (at == levels.end()) return;
  throw Error(
      fmt::format(R"(column "{}": its level "{}" comes before "{}", but levels are distinct )"
                  "and in byte order",
                  shown(column.name), shown(*at), shown(*(at + 1))));
}

void check_shape(std::size_t values, std::size_t rows, std::size_t columns) {
  // Divided, not multiplied: the product may not fit.
  const bool right =
      columns == 0 || rows == 0 ? values == 0 : values % columns == 0 && values / columns == rows;
  if (!right) {
    throw Error(fmt::format("{} values do not make {} rows of {} columns", values, rows, columns));
  }
}

}  // namespace

void check_schema(const Schema& schema) {
  std::unordered_set<std::string_view> names;
  for (std::size_t j = 0; j < schema.columns(); ++j) {
    const Column& column = column_at(schema, j);
    if (column.name.empty()) {
      throw Error(fmt::format("column {} of the table has no name: give it one", j + 1));
    }
    if (!names.insert(column.name).second) {
      throw Error(
          fmt::format("two columns of the table are named \"{}\": rename one", shown(column.name)));
    }
    if (column.kind == ColumnKind::categorical) check_levels(column);
  }
}

void check_values(const Column& column, std::span<const double> values, std::size_t first_row) {
  const auto fail = [&](auto at, const std::string& what) {
    const auto row = first_row + static_cast<std::size_t>(at - values.begin()) + 1;
    throw Error(fmt::format(R"(column "{}", row {}: {} {})", shown(column.name), row, *at, what));
  };
  if (column.kind == ColumnKind::numeric) {
    if (all_finite(values)) return;
    fail(std::find_if(values.begin(), values.end(), [](double x) { return !std::isfinite(x); }),
         "is not a finite number; leave the row out or fill it in");
  }
  const std::size_t levels = column.levels.size();
  if (all_positions(values, levels)) return;
  fail(
      std::find_if(values.begin(), values.end(), [&](double x) { return !is_position(x, levels); }),
      fmt::format("is not the position of one of its {} levels", levels));
}

void check_table(const Schema& schema, std::span<const double> values, std::size_t rows) {
  check_shape(values.size(), rows, schema.columns());
  check_schema(schema);
  for (std::size_t j = 0; j < schema.columns(); ++j) {
    check_values(column_at(schema, j), values.subspan(j * rows, rows), 0);
  }
}

}  // namespace fsieve::source
