// Columns as sums of a few products: a beam of forward selections in a library of products.
#pragma once

#include <cstdint>
#include <vector>

#include "equation/sheet.h"
#include "relations/library.h"
#include "relations/relation.h"

namespace fsieve::relations {

// For every target the sum of fewest products that leaves nothing of it, or, where there is none,
// the one to which no further product adds what it should, if that leaves at most `epsilon`
// (norm). `width`: sums that are followed at a time. `work`:
// multiply-adds that may be spent, less those that were; none is left where it ended the search.
// Targets for which no single product promises anything have none. No coefficients yet.
[[nodiscard]] std::vector<Relation> pursue(const Sheet& sheet, const Library& library,
                                           const std::vector<std::uint32_t>& targets,
                                           double epsilon, std::size_t most_terms,
                                           std::size_t width, double& work);

}  // namespace fsieve::relations
