#include "data/quantiles.h"

#include <algorithm>
#include <numeric>

namespace fsieve::inline data {

Quantiles quantiles_of(std::span<const double> column, std::span<const double> weights,
                       std::size_t parts) {
  Quantiles quantiles;
  if (weights.empty()) {
    std::vector<double> sorted(column.begin(), column.end());
    std::sort(sorted.begin(), sorted.end());
    quantiles.smallest = sorted.front();
    for (std::size_t k = 1; k < parts; ++k) {
      quantiles.starts.push_back(sorted[k * sorted.size() / parts]);
    }
    return quantiles;
  }
  std::vector<std::size_t> order(column.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return column[a] < column[b]; });
  quantiles.smallest = column[order.front()];
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  // Part k + 1 begins at the first row with more than k of `parts` of the weight up to it: for
  // whole weights, at the same value as among repeated rows.
  std::size_t row = 0;
  double reached = weights[order[0]];
  for (std::size_t k = 1; k < parts; ++k) {
    const double before = static_cast<double>(k) * total / static_cast<double>(parts);
    while (reached <= before && row + 1 < order.size()) reached += weights[order[++row]];
    quantiles.starts.push_back(column[order[row]]);
  }
  return quantiles;
}

}  // namespace fsieve::data
