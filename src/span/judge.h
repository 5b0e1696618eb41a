// The rule by which a parity is trivial and a feature redundant (docs/uffs.md).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "fsieve/engine.h"

namespace fsieve::inline span {

struct Judge {
  Rule rule = Rule::adjusted;
  double epsilon = 0.1;
  double rows = 0;             // n: the sum of the weights
  std::size_t dimensions = 0;  // of the space of functions on the rows

  // r kept parities explain about r/n of any column: are enough degrees of freedom left to tell?
  [[nodiscard]] bool can_test(std::size_t rank) const {
    if (rule != Rule::adjusted) return true;
    return rows - static_cast<double>(rank) >= std::max(10.0, rows / 20);
  }

  // The norm a column would have if the r parities had not fitted its noise.
  [[nodiscard]] double adjusted(double norm, std::size_t rank) const {
    return norm * std::sqrt(rows / (rows - static_cast<double>(rank)));
  }

  // What is compared with epsilon.
  [[nodiscard]] double value(double norm, std::size_t rank) const {
    return rule == Rule::adjusted ? adjusted(norm, rank) : norm;
  }

  [[nodiscard]] bool trivial(double norm, std::size_t rank) const {
    return value(norm, rank) <= epsilon;
  }
};

}  // namespace fsieve::span
