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
  // What steps choose from, and a level is shared among. Copies of other features say nothing more:
  // they come last where so many are wanted, and never where so many as convince.
  std::vector<std::size_t> candidates;
};

}  // namespace fsieve::methods
