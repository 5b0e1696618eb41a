// From what functions explain, about, to what they gain, and how far off that may be.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/forward/estimated_catch.h"

namespace fsieve::inline methods {

struct EstimateTerms {
  double least = 0;     // left of a function that is new
  double residual = 0;  // squared norm of the residual
  double total = 0;     // of the label
  double free = 0;      // rows that are not spoken for
  double rounding = 0;  // of inner products, relative
  // An error is never taken to be smaller than this, and this share of the gain.
  double least_error = 0;
  double error_of_gain = 0;

  // What a function of noise catches of what is not caught, for each of so many functions.
  [[nodiscard]] double noise_of(double functions) const {
    return functions / std::max(free - functions, 1.0);
  }
};

// What is caught is b'x with Gx = b, for the Gram matrix G of the functions and their inner
// products b with the label. To first order it is off by 2 x'δb − x'δG x; errors are independent,
// and relative to the norms of both factors, so that is 2 r √(total w) + r w with w = Σ |x f|².
// What rounding alone seems to catch, where there is nothing, is r² total for each function times
// what an error of it grows by.
[[nodiscard]] inline double error_of(const EstimatedCatch& estimate, const EstimateTerms& terms) {
  if (!estimate.sure) return std::numeric_limits<double>::infinity();
  const double r = terms.rounding;
  const double off = 2 * r * std::sqrt(terms.total * estimate.weight) + r * estimate.weight +
                     r * r * terms.total * estimate.growth;
  return off * (1 + terms.noise_of(static_cast<double>(estimate.explained.rank)));
}

struct EstimatedGain {
  double gain = 0;  // −∞ where nothing is new
  double most = 0;  // +∞ where rounding hides whether anything is
};

[[nodiscard]] inline EstimatedGain estimated_gain(const EstimatedCatch& estimate,
                                                  const EstimateTerms& terms) {
  if (estimate.explained.rank == 0 && estimate.sure) {
    constexpr double nothing = -std::numeric_limits<double>::infinity();
    return {nothing, nothing};
  }
  const double caught = std::min(estimate.explained.caught, terms.residual);
  const double noise = terms.noise_of(static_cast<double>(estimate.explained.rank));
  const double gain = caught - (terms.residual - caught) * noise;
  const double least = terms.least_error + terms.error_of_gain * std::abs(gain);
  return {gain, gain + std::max(error_of(estimate, terms), least)};
}

}  // namespace fsieve::methods
