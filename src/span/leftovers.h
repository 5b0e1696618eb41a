// What the gram engine's basis leaves of columns and of parities.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <vector>

#include "basis/parity.h"
#include "data/design.h"

namespace fsieve::inline span {

// What is left of a column is a difference of squares: below this it is their rounding.
inline constexpr double rounding_of_residual2 = 1e-12;

[[nodiscard]] inline double norm_left(double residual2) {
  return residual2 < rounding_of_residual2 ? 0 : std::sqrt(residual2);
}

class Leftovers {
 public:
  explicit Leftovers(std::size_t design_columns) : residual2_(design_columns, 1.0) {}

  // Of a feature: the largest of its columns' residual norms.
  [[nodiscard]] double norm(const DesignFeature& columns) const {
    double largest = 0;
    for (std::size_t c = columns.first; c < columns.last; ++c) {
      largest = std::max(largest, residual2_[c]);
    }
    return norm_left(largest);
  }
  // A new function of the basis, on which the column has this coordinate.
  void take_out(std::size_t column, double coordinate) {
    residual2_[column] -= coordinate * coordinate;
  }

  // Of parities that are trivial: at most so much; nothing where none was noted.
  void note_trivial(const Parity& parity, double left) { trivial_[parity] = left; }
  [[nodiscard]] double of_trivial(const Parity& parity) const {
    const auto known = trivial_.find(parity);
    return known == trivial_.end() ? 0 : known->second;
  }

 private:
  struct ByColumns {
    bool operator()(const Parity& a, const Parity& b) const {
      return std::lexicographical_compare(a.columns().begin(), a.columns().end(),
                                          b.columns().begin(), b.columns().end());
    }
  };

  std::vector<double> residual2_;  // of every design column
  std::map<Parity, double, ByColumns> trivial_;
};

}  // namespace fsieve::span
