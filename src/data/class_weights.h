// Weights that let every class of a label count the same.
#pragma once

#include <vector>

#include "data/label.h"

namespace fsieve::inline data {

// Per class: n / (classes · the weight of the class), which makes all classes weigh the same and
// together as much as before. Throws Error where the label is a number.
[[nodiscard]] std::vector<double> balancing_factors(const Label& label);
// Per row: its weight times the factor of its class.
[[nodiscard]] std::vector<double> balanced_weights(const Label& label,
                                                   const std::vector<double>& factors);

}  // namespace fsieve::data
