#include "equation/claim.h"

#include <algorithm>
#include <cmath>

namespace fsieve::inline equation {

std::vector<double> values_on(const Sheet& sheet, const Claim& claim) {
  std::vector<double> values(sheet.rows * claim.products.size());
  const auto column = [&](std::size_t c) { return sheet.column(c); };
  for (std::size_t k = 0; k < claim.products.size(); ++k) {
    evaluate(claim.products[k], column, sheet.rows, values.data() + k * sheet.rows);
  }
  return values;
}

Scaling scaling_of(const Claim& claim, const Sheet& sheet, const std::vector<double>& values) {
  const bool centred = std::any_of(claim.products.begin(), claim.products.end(),
                                   [](const PowerProduct& product) { return product.empty(); });
  const auto n = static_cast<double>(sheet.rows);
  Scaling scaling;
  for (std::size_t k = 0; k < claim.products.size(); ++k) {
    const std::span<const double> own(values.data() + k * sheet.rows, sheet.rows);
    double mean = 0;
    if (centred && !claim.products[k].empty()) {
      for (const double value : own) mean += value / n;
    }
    double squares = 0;
    for (const double value : own) squares += (value - mean) * (value - mean) / n;
    const double scale = std::sqrt(squares);
    scaling.centre.push_back(mean);
    scaling.scale.push_back(std::isfinite(scale) && scale > 0 ? scale : 1);
  }
  return scaling;
}

void add_step(const Scaling& scaling, std::span<const double> step, Claim& claim) {
  double shift = 0;
  std::size_t constant = claim.products.size();
  for (std::size_t k = 0; k < claim.products.size(); ++k) {
    const double change = step[k] / scaling.scale[k];
    claim.coefficients[k] += change;
    shift += change * scaling.centre[k];
    if (claim.products[k].empty()) constant = k;
  }
  if (constant < claim.products.size()) claim.coefficients[constant] -= shift;
}

}  // namespace fsieve::equation
