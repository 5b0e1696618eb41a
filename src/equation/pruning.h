// One equation by least squares, without the terms that do not matter.
#pragma once

#include <vector>

#include "data/design.h"
#include "equation/fit.h"

namespace fsieve::inline equation {

// `gram`: the lower triangle of the inner products of the task's standardised products and, last,
// its target, column-major.
[[nodiscard]] Fit fit_and_prune(const Design& design, const FitTask& task,
                                std::vector<double> gram);

}  // namespace fsieve::equation
