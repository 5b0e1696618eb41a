#include "stats/f_tail.h"

#include <cmath>
#include <limits>

#include "base/log_gamma.h"

namespace fsieve::inline stats {
namespace {

// The continued fraction of the incomplete beta function by Lentz's method; quick for
// x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  const auto away_from_zero = [](double value) { return std::abs(value) < tiny ? tiny : value; };
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int m = 1; m < 10'000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    const double step = d * c;
    fraction *= step;
    if (std::abs(step - 1) < 1e-15) break;
  }
  return fraction;
}

// log I_x(a, b), with 1 − x given beside x so that neither loses digits.
double log_beta_share(double a, double b, double x, double rest) {
  if (x <= 0) return -std::numeric_limits<double>::infinity();
  if (rest <= 0) return 0;
  const double front =
      a * std::log(x) + b * std::log(rest) - (log_gamma(a) + log_gamma(b) - log_gamma(a + b));
  if (x < (a + 1) / (a + b + 2)) return front - std::log(a) + std::log(beta_fraction(a, b, x));
  const double other = std::exp(front - std::log(b)) * beta_fraction(b, a, rest);
  return std::log1p(-std::fmin(other, 1));
}

}  // namespace

double log_f_tail(double ratio, double d1, double d2) {
  if (!(ratio > 0)) return 0;
  const double total = d2 + d1 * ratio;
  return log_beta_share(d2 / 2, d1 / 2, d2 / total, d1 * ratio / total);
}

}  // namespace fsieve::stats
