#include "data/bins.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "data/quantiles.h"
#include "source/known_table.h"
#include "table/cell_text.h"

namespace fsieve::inline data {
namespace {

// The different values, and the weight of the rows that have each.
using Values = std::map<double, double>;

Values values_of(std::span<const double> column, std::span<const double> weights) {
  Values values;
  for (std::size_t i = 0; i < column.size(); ++i) {
    values[column[i]] += weights.empty() ? 1 : weights[i];
  }
  return values;
}

// Where one value fills several quantiles (most counts are 0) it is a bin of its own, and the rest
// shares the others: each bin takes values until it has its part of what is left.
std::vector<double> cuts_around_heavy_values(const Values& values, std::size_t bins) {
  double left = 0;
  for (const auto& [value, weight] : values) left += weight;
  std::vector<double> cuts;
  double part = left / static_cast<double>(bins);
  double filled = 0;
  for (const auto& [value, weight] : values) {
    if (filled >= part && cuts.size() + 1 < bins) {
      cuts.push_back(value);
      left -= filled;
      part = left / static_cast<double>(bins - cuts.size());
      filled = 0;
    }
    filled += weight;
  }
  return cuts;
}

// The values at which a new bin begins.
std::vector<double> cuts_of(std::span<const double> column, std::span<const double> weights,
                            const Values& values, std::size_t bins) {
  const Quantiles quantiles = quantiles_of(column, weights, bins);
  std::set<double> cuts(quantiles.starts.begin(), quantiles.starts.end());
  cuts.erase(quantiles.smallest);
  if (cuts.size() + 1 < bins) return cuts_around_heavy_values(values, bins);
  return {cuts.begin(), cuts.end()};
}

// Levels by number: the position of each in byte order, which is that of the schema.
void keep_values(Column& feature, std::span<double> column, const Values& values) {
  for (const auto& [value, weight] : values) feature.levels.push_back(io::number_text(value));
  std::sort(feature.levels.begin(), feature.levels.end());
  for (double& value : column) {
    const auto level =
        std::lower_bound(feature.levels.begin(), feature.levels.end(), io::number_text(value));
    value = static_cast<double>(level - feature.levels.begin());
  }
}

}  // namespace

std::unique_ptr<MemorySource> binned(const Source& source, std::size_t bins) {
  Schema schema = source.schema();
  const std::size_t rows = source.rows();
  std::vector<double> values(source.in_memory().begin(), source.in_memory().end());
  for (std::size_t j = 0; j < schema.features.size(); ++j) {
    stop_if_asked();
    Column& feature = schema.features[j];
    if (feature.kind != ColumnKind::numeric) continue;
    const std::span<double> column(values.data() + j * rows, rows);
    const Values distinct = values_of(column, source.weights());
    if (distinct.size() <= 2) continue;
    feature.kind = ColumnKind::categorical;
    if (distinct.size() <= bins) {
      keep_values(feature, column, distinct);
      continue;
    }
    const std::vector<double> cuts = cuts_of(column, source.weights(), distinct, bins);
    for (double& value : column) {
      value = static_cast<double>(std::upper_bound(cuts.begin(), cuts.end(), value) - cuts.begin());
    }
    for (std::size_t k = 1; k <= cuts.size() + 1; ++k) {
      feature.levels.push_back(fmt::format("bin{:0{}}", k, bins > 9 ? 2 : 1));
    }
  }
  const auto weights = source.weights();
  return known_table(std::move(schema), std::move(values), rows,
                     std::vector<double>(weights.begin(), weights.end()));
}

}  // namespace fsieve::data
