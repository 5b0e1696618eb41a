#include "data/class_weights.h"

#include "fsieve/error.h"

namespace fsieve::inline data {

std::vector<double> balancing_factors(const Label& label) {
  if (!label.classification) {
    throw Error("the label is a number: --class-weight balanced needs classes");
  }
  std::vector<double> of_class(label.classes.size());
  for (std::size_t i = 0; i < label.rows; ++i) of_class[label.codes[i]] += label.weight_of(i);
  std::size_t present = 0;
  for (const double weight : of_class) present += weight > 0 ? 1 : 0;
  const double share = label.weight / static_cast<double>(present);
  std::vector<double> factors;
  for (const double weight : of_class) factors.push_back(weight > 0 ? share / weight : 1);
  return factors;
}

std::vector<double> balanced_weights(const Label& label, const std::vector<double>& factors) {
  std::vector<double> weights(label.rows);
  for (std::size_t i = 0; i < label.rows; ++i) {
    weights[i] = label.weight_of(i) * factors[label.codes[i]];
  }
  return weights;
}

}  // namespace fsieve::data
