#include "equation/product.h"

#include <cmath>

namespace fsieve::inline equation {

double raised(double x, double power) {
  if (power == 1) return x;
  if (power == 2) return x * x;
  if (power == 3) return x * x * x;
  if (power == -1) return 1 / x;
  if (power == -2) return 1 / (x * x);
  if (power == 0.5) return std::sqrt(x);
  if (power == -0.5) return 1 / std::sqrt(x);
  return std::pow(x, power);
}

}  // namespace fsieve::equation
