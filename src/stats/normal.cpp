#include "stats/normal.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "base/log_gamma.h"

namespace fsieve::inline stats {
namespace {

// The smallest or largest x of an interval at which a falling function reaches a value.
template <class Function>
double solve_falling(double low, double high, double value, const Function& function) {
  for (int step = 0; step < 200 && high - low > 1e-13 * (1 + std::abs(low)); ++step) {
    const double middle = (low + high) / 2;
    (function(middle) > value ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

double log_normal_tail(double z) {
  constexpr double far = 25;  // erfc is still a normal number here
  if (z < far) return std::log(std::erfc(z / std::numbers::sqrt2) / 2);
  const double s = 1 / (z * z);
  return -z * z / 2 - std::log(z * std::sqrt(2 * std::numbers::pi)) +
         std::log1p(s * (-1 + s * (3 + s * (-15 + 105 * s))));
}

double normal_quantile(double share) {
  const double tail = std::log(share < 0.5 ? share : 1 - share);
  const double z = solve_falling(0, 40, tail, log_normal_tail);
  return share < 0.5 ? -z : z;
}

// The incomplete gamma function: a series below its mean, a continued fraction (Lentz) above.
double log_chi_square_tail(double x, double freedom) {
  if (!(x > 0)) return 0;
  const double a = freedom / 2;
  const double h = x / 2;
  const double front = a * std::log(h) - h - log_gamma(a);
  if (h < a + 1) {
    double term = 1 / a;
    double sum = term;
    for (double k = a + 1; term > 1e-16 * sum; ++k) sum += term *= h / k;
    return std::log1p(-std::fmin(std::exp(front) * sum, 1 - 1e-16));
  }
  double b = h + 1 - a;
  double c = 1e300;
  double d = 1 / b;
  double fraction = d;
  for (int k = 1; k < 10'000; ++k) {
    const double term = -k * (k - a);
    b += 2;
    d = 1 / (term * d + b);
    c = b + term / c;
    fraction *= d * c;
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  return front + std::log(fraction);
}

double squared_normal_quantile(double log_chance) {
  if (log_chance >= 0) return 0;
  const double half = log_chance - std::numbers::ln2;
  const double z = solve_falling(0, std::sqrt(-2 * half) + 1, half, log_normal_tail);
  return z * z;
}

}  // namespace fsieve::stats
