#include "source/present_rows.h"

#include <utility>
#include <vector>

#include "source/known_table.h"
#include "source/table_rows.h"

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
  const std::unique_ptr<MemorySource> kept = table_rows(source, present);
  Schema schema = kept->schema();
  std::vector<double> values(kept->in_memory().begin(), kept->in_memory().end());
  for (std::size_t j = 0; j < schema.columns(); ++j) {
    Column& column = j < schema.features.size() ? schema.features[j] : *schema.label;
    const std::span<double> held(values.data() + j * present.size(), present.size());
    if (column.kind == ColumnKind::categorical) drop_unused_levels(column, held);
  }
  return known_table(std::move(schema), std::move(values), present.size(),
                     {kept->weights().begin(), kept->weights().end()});
}

}  // namespace fsieve::source
