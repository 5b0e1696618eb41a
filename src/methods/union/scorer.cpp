#include "methods/union/scorer.h"

#include <algorithm>

#include "data/levels.h"
#include "fsieve/error.h"

namespace fsieve::inline methods {

bool all_discrete(const SupervisedData& data, std::size_t bins) {
  return bins > 0 || std::all_of(data.features.begin(), data.features.end(),
                                 [&](std::size_t j) { return is_discrete(data, j); });
}

std::unique_ptr<SubsetScorer> make_scorer(const SupervisedData& data, const SffsOptions& options) {
  if (options.bins == 1 || options.bins > 16) {
    throw Error("numbers are cut into 2 to 16 bins", Error::Kind::usage);
  }
  if (options.score == Score::l2) return make_l2_scorer(data, options.bins);
  if (all_discrete(data, options.bins)) {
    return make_cell_scorer(data, options.bins, most_table_bytes, options.device);
  }
  return make_projection_scorer(data);
}

}  // namespace fsieve::methods
