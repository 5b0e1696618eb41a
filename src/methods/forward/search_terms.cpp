#include "methods/forward/search_terms.h"

#include <algorithm>

#include "methods/forward/near_copies.h"

namespace fsieve::inline methods {
namespace {

// Where a level is asked for, so many of the best steps of a kind are tried: a sparse function may
// catch most and still be no evidence.
constexpr std::size_t tried_at_level = 20;

// A level is asked for by `-k certain`, and by the shuffles of `--permutations`.
bool level_asked(const SffsOptions& options) { return !options.k || options.permutations > 0; }

}  // namespace

SearchTerms::SearchTerms(const SupervisedData& seen, const Label& given, const SffsOptions& asked,
                         const Wishes& wished)
    : data(seen),
      label(given),
      options(asked),
      wishes(wished),
      label_explained(given.classification || seen.label.numbers == given.numbers),
      at_level(level_asked(asked)),
      width(asked.search == Search::beam ? asked.beam : 1),
      reach(at_level ? std::max(width, tried_at_level) : width),
      candidates(without_near_copies(seen)) {}

}  // namespace fsieve::methods
