#include "data/design_budget.h"

#include <fmt/format.h>

#include <algorithm>

#include "fsieve/error.h"

namespace fsieve::inline data {
namespace {

// So much is taken whatever was allowed: a table of a few megabytes must not fail.
constexpr double kSmall = 64 << 20U;

std::size_t columns_of(const Column& feature) {
  if (feature.kind == ColumnKind::numeric) return 1;
  return std::max<std::size_t>(feature.levels.size(), 2) - 1;
}

[[noreturn]] void fail(const Schema& schema, const char* what, double bytes) {
  const auto& features = schema.features;
  const auto largest = std::max_element(
      features.begin(), features.end(),
      [](const Column& a, const Column& b) { return columns_of(a) < columns_of(b); });
  constexpr double mebibyte = 1 << 20U;
  throw Error(fmt::format(
      "{} features are {} columns to compute with (a category is one per level), and {} "
      "take {:.0f} MiB; allow it with --memory {:.0f}M, or leave out categories of many "
      "levels (column \"{}\" has {})",
      features.size(), design_columns(schema), what, bytes / mebibyte, bytes / mebibyte + 1,
      largest->name, largest->levels.size()));
}

}  // namespace

std::size_t design_columns(const Schema& schema) {
  std::size_t columns = 0;
  for (const Column& feature : schema.features) columns += columns_of(feature);
  return columns;
}

void check_rows_budget(const Schema& schema, std::size_t rows, std::size_t memory) {
  const std::size_t columns = design_columns(schema);
  if (columns == schema.features.size()) return;
  const double bytes = static_cast<double>(rows) * static_cast<double>(columns) * sizeof(double);
  if (bytes > std::max(static_cast<double>(memory), kSmall)) fail(schema, "their values", bytes);
}

void check_products_budget(const Schema& schema, std::size_t most, std::size_t memory) {
  const std::size_t columns = design_columns(schema);
  if (columns == schema.features.size()) return;
  const auto all = static_cast<double>(columns);
  const double basis = std::min(all, static_cast<double>(most));
  const double bytes = basis * (basis + all) * sizeof(double);
  if (bytes > std::max(static_cast<double>(memory), kSmall)) {
    fail(schema, "their inner products", bytes);
  }
}

}  // namespace fsieve::data
