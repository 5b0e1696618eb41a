// Estimates of what columns that lie side by side would gain (column_sweeps.h): of one, or of those
// that may be the best.
#pragma once

#include <cstddef>
#include <vector>

#include "methods/forward/column_sweeps.h"
#include "methods/forward/estimate_terms.h"
#include "methods/forward/estimated_catch.h"
#include "methods/forward/estimated_steps.h"

namespace fsieve::inline methods {

[[nodiscard]] EstimatedCatch catch_of_column(const ColumnSums& sums, std::size_t column,
                                             double least, double rounding);

// Of columns of these features, those that may be among the best `reach`.
[[nodiscard]] std::vector<EstimatedStep> best_columns(const ColumnSums& sums,
                                                      const std::vector<std::size_t>& features,
                                                      std::size_t reach,
                                                      const EstimateTerms& terms);

}  // namespace fsieve::methods
