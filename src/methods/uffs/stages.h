// The stages of a run: given, or chosen to suit the number of rows.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fsieve/uffs.h"
#include "methods/uffs/problem.h"

namespace fsieve::inline methods {

// `any` under the adjusted rule, `own` else, unless chosen.
[[nodiscard]] Groups effective_groups(const UffsOptions& options);
[[nodiscard]] Order effective_order(const UffsOptions& options);

struct PlannedStage {
  Stage stage;
  double epsilon = 0;
  double share = 0;  // cumulative rule only

  // Features of one group, and groups, of so many features.
  [[nodiscard]] std::size_t group_limit(std::size_t features) const;
  // Design columns of a group: as many as its features have on average.
  [[nodiscard]] double column_limit(const Design& design, const Features& order) const;
  [[nodiscard]] std::size_t groups(std::size_t features) const;
  // Products of one group.
  [[nodiscard]] double products(const Design& design, const Features& order) const;
};

// What was decided for the user is said in `warnings`. Throws Error(usage) where stages, thresholds
// and shares do not fit together.
[[nodiscard]] std::vector<PlannedStage> plan_stages(const Problem& problem, const Features& order,
                                                    std::vector<std::string>& warnings);

}  // namespace fsieve::methods
