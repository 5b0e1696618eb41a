// Forward search in rounds (blueprint section 2, "Beyond the union").
#pragma once

#include <string>
#include <vector>

#include "data/supervised_data.h"
#include "fsieve/progress.h"
#include "fsieve/selection_manner.h"

namespace fsieve {

struct ForwardResult {
  std::vector<RelevantFeature> selected;
  std::vector<ScoredSubset> steps;  // the features of each step, and the score after it
  double first_round_score = 0;
  std::vector<std::string> warnings;
};

[[nodiscard]] ForwardResult search_forward(const SupervisedData& data, const SffsOptions& options,
                                           const SelectionManner& manner, Progress& progress);

}  // namespace fsieve
