// The rows of a column, value by value, and where each value stands among all.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "data/row_order.h"

namespace fsieve::inline data {

class RankedRows {
 public:
  // `weights`: of the rows, or empty.
  RankedRows(std::span<const double> values, std::span<const double> weights)
      : values_(values), weights_(weights), order_(rows_in_order(values)) {
    for (std::size_t i = 0; i < values.size(); ++i) total_ += weight_of(i);
  }

  [[nodiscard]] double total() const { return total_; }  // weight

  // Calls each(rows, rank, share) for the rows of every value, which rise: its centred (mid-)rank,
  // between −1 and 1, and its share of the weight.
  template <class Each>
  void for_each_value(const Each& each) const {
    double below = 0;
    for (std::size_t first = 0; first < order_.size();) {
      std::size_t last = first;
      double equal = 0;
      for (; last < order_.size() && values_[order_[last]] == values_[order_[first]]; ++last) {
        equal += weight_of(order_[last]);
      }
      each(std::span(order_).subspan(first, last - first), 2 * (below + equal / 2) / total_ - 1,
           equal / total_);
      below += equal;
      first = last;
    }
  }

 private:
  [[nodiscard]] double weight_of(std::size_t row) const {
    return weights_.empty() ? 1 : weights_[row];
  }

  std::span<const double> values_;
  std::span<const double> weights_;
  std::vector<std::size_t> order_;
  double total_ = 0;
};

}  // namespace fsieve::data
