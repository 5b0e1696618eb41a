// Algorithm 1 of 000: score all subsets, rank them, and take their union until k features are in.
#pragma once

#include <vector>

#include "data/supervised_data.h"
#include "fsieve/progress.h"
#include "fsieve/sffs.h"
#include "measure/ranking.h"
#include "methods/union/sign_table.h"

namespace fsieve::inline methods {

struct UnionResult {
  std::vector<UnitedFeature> chosen;  // in the order they came in
  std::vector<ScoredSubset> subsets;  // the best options.top
};

// options.k must be set. The source is data.source. Scores the subsets of options.depth candidates
// (all of them where there are fewer), or of all sizes up to it under Score::l2.
[[nodiscard]] UnionResult unite(const SupervisedData& data, const Source& source,
                                const SffsOptions& options, Progress& progress);

// The same of two-valued features, by the cells of subsets of two and more of them.
[[nodiscard]] UnionResult unite(const SignTable& table, const SffsOptions& options,
                                Progress& progress);

}  // namespace fsieve::methods
