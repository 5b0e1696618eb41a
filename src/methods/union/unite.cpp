#include "methods/union/unite.h"

#include <algorithm>

#include "fsieve/error.h"
#include "methods/union/scorer.h"
#include "methods/union/sign_cells.h"

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

UnionResult unite(const SignTable& table, const SffsOptions& options, Progress& progress) {
  const std::vector<std::size_t>& features = table.data.features;
  Ranking ranking(table.data.design.features.size(), options.top, *options.k);
  const int depth =
      static_cast<int>(std::min(static_cast<std::size_t>(options.depth), features.size()));
  SharedProgress shared(progress, "subsets",
                        choose(features.size(), static_cast<std::size_t>(depth)));
  rank_sign_subsets(table.order, table.bits, features, depth, most_table_bytes, options.device,
                    ranking, shared);
  shared.end();
  return {ranking.united(), ranking.best()};
}

}  // namespace fsieve::methods
