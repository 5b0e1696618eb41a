// Logarithms of the gamma function and of factorials, on any thread.
#pragma once

#include <math.h>  // lgamma_r is not in std

namespace fsieve::inline base {

// For x > 0. std::lgamma writes the sign to a variable that all threads share.
[[nodiscard]] inline double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

[[nodiscard]] inline double log_factorial(double count) { return log_gamma(count + 1); }

}  // namespace fsieve::base
