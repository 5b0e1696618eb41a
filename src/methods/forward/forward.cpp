#include "methods/forward/forward.h"

#include <optional>

#include "data/families.h"
#include "methods/forward/all_rows.h"
#include "methods/forward/feature_worth.h"
#include "methods/forward/forward_search.h"
#include "methods/forward/search_terms.h"
#include "methods/forward/single_tests.h"
#include "methods/forward/substitutes.h"
#include "methods/forward/together.h"

namespace fsieve::inline methods {

ForwardResult search_forward(const SupervisedData& data, const SffsOptions& options,
                             const Wishes& wishes, bool worth, Progress& progress,
                             const AllRows* all_rows) {
  const bool ranked = !options.k;
  const bool scores = (ranked || options.robust) && !data.label.classification;
  const bool curves = options.shape == Shape::curve && any_real(data);
  std::optional<SingleTests> tests;
  if (worth) tests.emplace(data, curves, wishes.adjust);
  SupervisedData changed;
  if (curves) {
    changed = with_curves(data, ranked, [&](std::size_t feature, const auto& polynomials) {
      if (tests && !polynomials.empty()) tests->test(feature, polynomials);
    });
  }
  if (!wishes.groups.empty()) changed = merged(curves ? changed : data, wishes.groups);
  if (scores && changed.source == nullptr) changed = data;
  if (scores) changed.label = with_normal_scores(data.label);
  const SupervisedData& seen = changed.source != nullptr ? changed : data;
  const SearchTerms terms(seen, data.label, options, wishes);
  ForwardResult found = ForwardSearch(terms, progress).run();
  if (worth) {
    for (const Together& group : wishes.groups) tests->test(group.features);
    found.ranking = rank_features(seen, found.taken, options.depth, wishes, tests->finish());
    found.substitutes = find_substitutes(seen, found.taken, options.depth, wishes);
  }
  if (all_rows != nullptr) {
    const AllRows::Searched searched{data,   seen,  options, wishes, curves, curves && ranked,
                                     scores, curves};
    found.holds = all_rows->judge(searched, found, progress);
  }
  if (!wishes.groups.empty()) tell_apart(wishes.groups, found);
  return found;
}

}  // namespace fsieve::methods
