// Forward search in rounds (docs/select.md, "Forward search in rounds").
#pragma once

#include <string>
#include <vector>

#include "data/supervised_data.h"
#include "fsieve/progress.h"
#include "fsieve/selection_manner.h"

namespace fsieve::inline methods {

struct ForwardResult {
  std::vector<RelevantFeature> selected;
  std::vector<ScoredSubset> steps;  // the features of each step, and the score after it
  double first_round_score = 0;
  std::vector<std::string> warnings;
};

[[nodiscard]] ForwardResult search_forward(const SupervisedData& data, const SffsOptions& options,
                                           const SelectionManner& manner, Progress& progress);

}  // namespace fsieve::methods
