// The measure from a table of counts of discrete features (000 section 3; docs/select.md).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "fsieve/measure.h"

namespace fsieve::inline measure {

// Adds up the cells of one subset: (n − 1) times M_n for two classes or the leave-one-out Bayes
// accuracy for more. A cell where one class leads gives its lead, or its size, less the share that
// a row has in its own cell; a tie gives the same whichever row is left out.
class CellSum {
 public:
  CellSum(std::size_t classes, std::size_t rows) : classes_(classes), rows_(rows) {}

  // `counts`: rows of the cell per class, `stride` apart.
  template <class Count>
  void add(const Count* counts, std::size_t stride) {
    std::int64_t all = 0;
    std::int64_t first = 0;
    std::int64_t second = 0;
    for (std::size_t k = 0; k < classes_; ++k) {
      const auto count = static_cast<std::int64_t>(counts[k * stride]);
      all += count;
      if (count > first) {
        second = first;
        first = count;
      } else if (count > second) {
        second = count;
      }
    }
    if (all == 0) return;
    const std::int64_t worth = classes_ == 2 ? first - second : first;
    if (first == second) {
      whole_ += classes_ == 2 ? 1 : first;
      return;
    }
    whole_ += worth;
    shares_ += static_cast<double>(worth) / static_cast<double>(all);
  }

  [[nodiscard]] double score() const {
    return (static_cast<double>(whole_) - shares_) / (static_cast<double>(rows_) - 1);
  }

 private:
  std::size_t classes_;
  std::size_t rows_;
  std::int64_t whole_ = 0;
  double shares_ = 0;
};

// The same for one cell by the definition, where rows have weights: a row of weight w stands for w
// rows, each of which leaves its unit out of its own cell. `weights`: of the cell per class;
// `units`: per class, empty: all 1.
[[nodiscard]] inline double weighted_cell(std::span<const double> weights,
                                          std::span<const double> units) {
  const auto unit = [&](std::size_t k) { return units.empty() ? 1 : units[k]; };
  double all = 0;
  for (const double weight : weights) all += weight;
  if (all == 0) return 0;
  if (weights.size() == 2) {
    const double lead = weights[0] - weights[1];
    return (weights[0] * std::abs(lead - unit(0)) + weights[1] * std::abs(lead + unit(1))) / all;
  }
  const auto first = std::max_element(weights.begin(), weights.end());
  double second = 0;
  for (auto other = weights.begin(); other != weights.end(); ++other) {
    if (other != first) second = std::max(second, *other);
  }
  double sum = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const double others =
        weights.begin() + static_cast<std::ptrdiff_t>(k) == first ? second : *first;
    sum += weights[k] * std::max(others, weights[k] - unit(k));
  }
  return sum / all;
}

}  // namespace fsieve::measure
