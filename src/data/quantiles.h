// Quantiles of a column.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fsieve::inline data {

// The smallest value, and the values at which parts 2, 3, … of `parts` equally full ones begin, in
// order (equal where a value fills several parts). `weights`: of the rows, or empty.
struct Quantiles {
  double smallest = 0;
  std::vector<double> starts;
};

[[nodiscard]] Quantiles quantiles_of(std::span<const double> column,
                                     std::span<const double> weights, std::size_t parts);

}  // namespace fsieve::data
