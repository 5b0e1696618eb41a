// Forward search in rounds (docs/select.md, "Forward search in rounds").
#pragma once

#include <string>
#include <vector>

#include "data/supervised_data.h"
#include "fsieve/progress.h"
#include "fsieve/sffs.h"
#include "methods/forward/taken_step.h"
#include "methods/forward/wishes.h"

namespace fsieve::inline methods {

class AllRows;

struct ForwardResult {
  std::vector<RelevantFeature> selected;
  std::vector<ScoredSubset> steps;  // the features of each step, and the score after it
  std::vector<TakenStep> taken;     // the same steps, all of them, to take them again
  std::vector<FeatureWorth> ranking;
  std::vector<Substitute> substitutes;
  std::vector<std::string> warnings;
  bool holds = true;  // nothing of it was taken back on all rows
};

// `worth`: what the other features are worth is told too. `all_rows`: the data are a sample, and
// what is found there is judged on all rows.
[[nodiscard]] ForwardResult search_forward(const SupervisedData& data, const SffsOptions& options,
                                           const Wishes& wishes, bool worth, Progress& progress,
                                           const AllRows* all_rows = nullptr);

}  // namespace fsieve::methods
