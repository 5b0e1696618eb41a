// The score that a subset must reach, as the sum that a device compares with: lower by what the sum
// leaves out and by what single precision may take away, so that no subset is lost.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace fsieve::inline device {

inline float float_below(double value) {
  constexpr double most = std::numeric_limits<float>::max();
  const auto nearest = static_cast<float>(std::clamp(value, -most, most));
  return std::nextafter(nearest, -std::numeric_limits<float>::infinity());
}

// Sums of leads are whole numbers of at most `rows` + 2^k, and a score counts max(|lead|, 1) in a
// cell at most. From 2^23 rows on such numbers are rounded when they become floats, and their sums
// too: no more than 2^k times in a cell, each by 2^-23 of the rows, and 2^k cells are added.
// `sum`: what the score is in these units.
inline float least_sum_of_leads(double sum, std::size_t k, double rows) {
  const double cells = std::ldexp(1.0, static_cast<int>(k));
  const double rounding = rows < std::ldexp(1.0, 23) ? 0 : std::ldexp(rows * cells * cells, -22);
  return float_below(sum - rounding - 1e-3);
}

// Sums of products have no negative terms, so their relative error is at most that of one term and
// of the additions: fewer than 2^k + 10 roundings of 2^-24 each, below 5e-6.
inline float least_sum_of_products(double sum) {
  return float_below(sum > 0 ? sum * (1 - 2e-5) : sum);
}

}  // namespace fsieve::device
