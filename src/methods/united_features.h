// A union beside what only a forward search knows: all rows of a table of which a sample was
// searched, and what every feature is worth.
#pragma once

#include <cstddef>
#include <vector>

#include "data/supervised_data.h"
#include "fsieve/progress.h"
#include "fsieve/sffs.h"
#include "methods/forward/all_rows.h"
#include "methods/forward/forward.h"
#include "methods/forward/wishes.h"
#include "methods/union/unite.h"

namespace fsieve::inline methods {

// The best subsets of the sample, and more than the union needs of them, by their scores on all
// rows.
[[nodiscard]] UnionResult united_on_all_rows(const SupervisedData& sample,
                                             const SffsOptions& options, const AllRows& all_rows,
                                             Progress& progress);

// Ranking and substitutes of features that a union has chosen. `all_rows`: null where they are
// those of the data.
[[nodiscard]] ForwardResult ranked_union(const SupervisedData& data,
                                         const std::vector<std::size_t>& chosen,
                                         const SffsOptions& options, const Wishes& wishes,
                                         const AllRows* all_rows, Progress& progress);

}  // namespace fsieve::methods
