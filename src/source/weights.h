// Weights of rows. A row that stands for w rows enters every sum over rows times w; its functions
// are scaled by √w, so that products of scaled columns are weighted inner products.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fsieve::inline source {

// Throws Error, naming the first row at fault, unless there is one weight per row, finite and not
// negative, and not all are 0.
void check_weights(std::span<const double> weights, std::size_t rows);

// The weights of some of the rows; none where there are none.
[[nodiscard]] inline std::span<const double> part_of(std::span<const double> weights,
                                                     std::size_t row, std::size_t rows) {
  return weights.empty() ? weights : weights.subspan(row, rows);
}

// √w of every row; empty where there are no weights.
class RootWeights {
 public:
  RootWeights() = default;
  explicit RootWeights(std::span<const double> weights);

  [[nodiscard]] bool none() const { return roots_.empty(); }
  [[nodiscard]] std::span<const double> values() const { return roots_; }

  // Scales a function of the rows.
  void scale(double* values) const {
    for (std::size_t i = 0; i < roots_.size(); ++i) values[i] *= roots_[i];
  }

 private:
  std::vector<double> roots_;
};

}  // namespace fsieve::source
