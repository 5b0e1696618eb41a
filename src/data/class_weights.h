// Weights that let every class of a label count the same.
#pragma once

#include <vector>

#include "data/label.h"

namespace fsieve::inline data {

// Per row: its weight times n / (classes · the weight of its class), so that all classes weigh the
// same and together as much as before. Throws Error where the label is a number.
[[nodiscard]] std::vector<double> balanced_weights(const Label& label);

}  // namespace fsieve::data
