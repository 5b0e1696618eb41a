#include "equation/product.h"

#include <cmath>

namespace fsieve::inline equation {
namespace {

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

}  // namespace

double value_of(const RaisedColumn& factor, double x) {
  switch (factor.form) {
    case Form::log:
      return raised(std::log(x), factor.power);
    case Form::log_of_one_more:
      return raised(std::log1p(x), factor.power);
    case Form::itself:
      break;
  }
  return raised(x, factor.power);
}

std::string named(Form form, const std::string& column) {
  switch (form) {
    case Form::log:
      return "log(" + column + ")";
    case Form::log_of_one_more:
      return "log(1 + " + column + ")";
    case Form::itself:
      break;
  }
  return column;
}

}  // namespace fsieve::equation
