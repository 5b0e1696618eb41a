#include "data/class_weights.h"

#include "fsieve/error.h"

namespace fsieve::inline data {

std::vector<double> balanced_weights(const Label& label) {
  if (!label.classification) {
    throw Error("the label is a number: --class-weight balanced needs classes");
  }
  std::vector<double> of_class(label.classes.size());
  for (std::size_t i = 0; i < label.rows; ++i) of_class[label.codes[i]] += label.weight_of(i);
  std::size_t present = 0;
  for (const double weight : of_class) present += weight > 0 ? 1 : 0;
  const double share = label.weight / static_cast<double>(present);
  std::vector<double> weights(label.rows);
  for (std::size_t i = 0; i < label.rows; ++i) {
    weights[i] = label.weight_of(i) * share / of_class[label.codes[i]];
  }
  return weights;
}

}  // namespace fsieve::data
