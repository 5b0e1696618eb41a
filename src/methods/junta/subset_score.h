// The score of one subset, counted on its own: what a search found can be checked.
#pragma once

#include <cstddef>
#include <span>

#include "methods/junta/junta_score.h"
#include "methods/junta/junta_table.h"

namespace fsieve::inline methods {

// `subset` ascending, of one feature or more. The very number that a search of all subsets
// computes.
[[nodiscard]] double score_of_subset(const JuntaTable& table, const JuntaScore& score,
                                     std::span<const std::size_t> subset);

}  // namespace fsieve::methods
