#include "methods/selection_checks.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "basis/parity.h"
#include "fsieve/error.h"

namespace fsieve::inline methods {

void check_options(const SffsOptions& options) {
  const auto usage = [](const std::string& message) { throw Error(message, Error::Kind::usage); };
  if (options.k && *options.k == 0) usage("k is at least 1");
  if (options.depth < 1 || options.depth > max_depth) {
    usage(fmt::format("depth {} is not between 1 and {}", options.depth, max_depth));
  }
  if (options.best_size && options.k) usage("k is given, or chosen: not both");
  if (options.best_size && options.folds == 0) usage("k cannot be chosen without folds");
  if (options.search == Search::unite && !options.k && !options.best_size)
    usage("the union needs a number of features");
  if (options.folds == 1) usage("there are at least two folds");
  if (options.stability > 0 && !options.ranking) {
    usage("--stability is told by feature, in the ranking: leave out --no-ranking");
  }
  if (options.search != Search::unite && options.score == Score::l2) {
    usage("the l2 score ranks subsets for the union");
  }
  if (options.search == Search::unite && !(options.keep.empty() && options.adjust.empty() &&
                                           options.groups.empty() && options.costs.empty())) {
    usage("--keep, --adjust, --group and --cost need --search forward: the union ranks subsets");
  }
  if (options.search == Search::beam && !(options.groups.empty() && options.costs.empty())) {
    usage("--group and --cost need --search forward");
  }
  if (options.search == Search::beam && options.beam == 0) usage("a beam is at least 1 wide");
  if (!(options.alpha > 0 && options.alpha < 1)) usage("alpha is not between 0 and 1");
  if (!(options.delta > 0 && options.delta < 1)) usage("delta is not between 0 and 1");
  const double least = std::ceil(2 / options.alpha) - 1;
  if (options.permutations > 0 && static_cast<double>(options.permutations) < least) {
    usage(fmt::format("{} permutations can never convince at alpha {}: give at least {}",
                      options.permutations, options.alpha, least));
  }
}

}  // namespace fsieve::methods
