// What a forward search is about: the table, what is asked of it, and what follows from that for
// all of its steps.
#pragma once

#include <cstddef>
#include <vector>

#include "data/supervised_data.h"
#include "fsieve/sffs.h"
#include "methods/forward/wishes.h"

namespace fsieve::inline methods {

struct SearchTerms {
  SearchTerms(const SupervisedData& seen, const Label& given, const SffsOptions& asked,
              const Wishes& wished);

  const SupervisedData& data;  // as the search sees it
  const Label& label;          // as it was given, which scores are about
  const SffsOptions& options;
  const Wishes& wishes;
  bool label_explained;  // the data's label is the given one, not its ranks
  bool at_level;         // steps must convince at a level that was asked for
  std::size_t width;     // of the beam
  std::size_t reach;     // steps of a kind that may be tried
  // What a level is shared among. Where so many are wanted as convince, copies say nothing more.
  std::vector<std::size_t> candidates;
};

}  // namespace fsieve::methods
