#include "data/bins.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "data/quantiles.h"
#include "source/known_table.h"

namespace fsieve::inline data {
namespace {

// The values at which a new bin begins.
std::vector<double> cuts_of(std::span<const double> column, std::span<const double> weights,
                            std::size_t bins) {
  const Quantiles quantiles = quantiles_of(column, weights, bins);
  std::set<double> cuts(quantiles.starts.begin(), quantiles.starts.end());
  cuts.erase(quantiles.smallest);
  return {cuts.begin(), cuts.end()};
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
    if (std::set<double>(column.begin(), column.end()).size() <= 2) continue;
    const std::vector<double> cuts = cuts_of(column, source.weights(), bins);
    for (double& value : column) {
      value = static_cast<double>(std::upper_bound(cuts.begin(), cuts.end(), value) - cuts.begin());
    }
    feature.kind = ColumnKind::categorical;
    for (std::size_t k = 1; k <= cuts.size() + 1; ++k) {
      feature.levels.push_back(fmt::format("bin{:0{}}", k, bins > 9 ? 2 : 1));
    }
  }
  const auto weights = source.weights();
  return known_table(std::move(schema), std::move(values), rows,
                     std::vector<double>(weights.begin(), weights.end()));
}

}  // namespace fsieve::data
