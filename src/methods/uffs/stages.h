// The stages of a run: given, or chosen to suit the number of rows.
#pragma once

#include <cstddef>
#include <vector>

#include "fsieve/uffs.h"

namespace fsieve::inline methods {

struct PlannedStage {
  Stage stage;
  double epsilon = 0;
  double share = 0;  // cumulative rule only
};

// `columns_per_feature`: design columns per feature on average (1 without categorical features).
// Throws Error(usage) where stages, thresholds and shares do not fit together.
[[nodiscard]] std::vector<PlannedStage> plan_stages(const UffsOptions& options, double rows,
                                                    double columns_per_feature);

// The largest group whose products of up to `depth` number at most a quarter of the rows, as
// automatic stages have it.
[[nodiscard]] std::size_t automatic_group(double rows, double columns_per_feature, int depth);

}  // namespace fsieve::methods
