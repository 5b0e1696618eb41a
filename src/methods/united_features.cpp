#include "methods/united_features.h"

#include <algorithm>
#include <set>

#include "measure/ranking.h"
#include "methods/forward/feature_worth.h"
#include "methods/forward/single_tests.h"
#include "methods/forward/substitutes.h"

namespace fsieve::inline methods {

UnionResult united_on_all_rows(const SupervisedData& sample, const SffsOptions& options,
                               const AllRows& all_rows, Progress& progress) {
  constexpr std::size_t more = 100;
  SffsOptions wider = options;
  wider.top = std::max(options.top, more);
  wider.k = std::min(2 * *options.k, sample.features.size());
  const UnionResult found = unite(sample, *sample.source, wider, progress);
  std::set<std::vector<std::size_t>> known;
  for (const ScoredSubset& subset : found.subsets) known.insert(subset.features);
  for (const UnitedFeature& united : found.chosen) known.insert(united.subset);
  const std::vector<std::vector<std::size_t>> subsets(known.begin(), known.end());
  const std::vector<double> scores = all_rows.scores(sample, subsets, options.score, progress);
  Ranking ranking(sample.design.features.size(), options.top, *options.k);
  for (std::size_t s = 0; s < subsets.size(); ++s) ranking.offer(scores[s], subsets[s]);
  return {ranking.united(), ranking.best()};
}

ForwardResult ranked_union(const SupervisedData& data, const std::vector<std::size_t>& chosen,
                           const SffsOptions& options, const Wishes& wishes,
                           const AllRows* all_rows, Progress& progress) {
  const bool curves = options.shape == Shape::curve;
  ForwardResult ranked;
  ranked.taken = steps_in_order(data, chosen, options.depth);
  SingleTests tests(data, curves, {});
  ranked.ranking = rank_features(data, ranked.taken, options.depth, {}, tests.finish());
  ranked.substitutes = find_substitutes(data, ranked.taken, options.depth, {});
  if (all_rows != nullptr) {
    AllRows::Searched searched{data, data, options, wishes};
    searched.tested_curves = curves;
    searched.later_rounds = false;
    all_rows->judge(searched, ranked, progress);
  }
  return ranked;
}

}  // namespace fsieve::methods
