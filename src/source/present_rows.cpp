#include "source/present_rows.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "source/known_table.h"

namespace fsieve::inline source {
namespace {

// Levels that no value has are no levels.
void drop_unused_levels(Column& column, std::span<double> values) {
  std::vector<std::size_t> place(column.levels.size(), 0);
  for (const double value : values) place[static_cast<std::size_t>(value)] = 1;
  std::vector<std::string> used;
  for (std::size_t level = 0; level < place.size(); ++level) {
    const bool occurs = place[level] != 0;
    place[level] = used.size();
    if (occurs) used.push_back(std::move(column.levels[level]));
  }
  for (double& value : values) {
    value = static_cast<double>(place[static_cast<std::size_t>(value)]);
  }
  column.levels = std::move(used);
}

}  // namespace

std::unique_ptr<MemorySource> present_rows(const Source& source) {
  const auto weights = source.weights();
  std::vector<std::size_t> present;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0) present.push_back(i);
  }
  if (present.size() == weights.size()) return nullptr;
  Schema schema = source.schema();
  const std::size_t rows = present.size();
  std::vector<double> values(rows * schema.columns());
  for (std::size_t j = 0; j < schema.columns(); ++j) {
    const double* from = source.in_memory().data() + j * source.rows();
    const std::span<double> to(values.data() + j * rows, rows);
    std::transform(present.begin(), present.end(), to.begin(),
                   [&](std::size_t i) { return from[i]; });
    Column& column = j < schema.features.size() ? schema.features[j] : *schema.label;
    if (column.kind == ColumnKind::categorical) drop_unused_levels(column, to);
  }
  std::vector<double> kept(rows);
  std::transform(present.begin(), present.end(), kept.begin(),
                 [&](std::size_t i) { return weights[i]; });
  return known_table(std::move(schema), std::move(values), rows, std::move(kept));
}

}  // namespace fsieve::source
