#include "methods/union/unite.h"

#include <algorithm>

#include "fsieve/error.h"
#include "methods/union/scorer.h"

namespace fsieve::inline methods {

UnionResult unite(const SupervisedData& data, const Source& source, const SffsOptions& options,
                  Progress& progress) {
  if (!options.k) throw Error("the union of subsets needs a number of features");
  if (data.features.empty()) return {};
  const auto scorer = make_scorer(data, options);
  Ranking ranking(source.schema().features.size(), options.top, *options.k);
  const int depth =
      static_cast<int>(std::min(static_cast<std::size_t>(options.depth), data.features.size()));
  for (int size = options.score == Score::l2 ? 1 : depth; size <= depth; ++size) {
    scorer->score_all(size, ranking, progress);
  }
  return {ranking.united(), ranking.best()};
}

}  // namespace fsieve::methods
