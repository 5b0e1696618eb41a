// Looking for the subset of k features that scores best.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fsieve/junta.h"
#include "fsieve/measure.h"
#include "methods/junta/junta_score.h"
#include "methods/junta/junta_table.h"
#include "methods/junta/search_state.h"

namespace fsieve::inline methods {

struct JuntaRanking {
  std::vector<ScoredSubset> best;  // best first; features in input order
  std::uint64_t scored = 0;        // subsets looked at
};

// All subsets of search.k features, 1 to 6, of which the best search.top are kept. With a
// checkpoint the search goes on from where it was saved last, and saves itself every few moments;
// which device it ran on makes no difference.
[[nodiscard]] JuntaRanking search_exhaustively(const JuntaTable& table, const JuntaScore& score,
                                               const SearchIdentity& search, Checkpoint* checkpoint,
                                               const Device& device, Progress& progress);

// The same of some of the subsets, by their numbers, on the CPU.
[[nodiscard]] JuntaRanking search_exhaustively(const JuntaTable& table, const JuntaScore& score,
                                               const SearchIdentity& search, NumberRange subsets,
                                               Progress& progress);

// Throws Error where the subsets of k features are too many to count.
void check_countable(const JuntaTable& table, std::size_t k);

// Adds one feature after another to the `width` best subsets of the step before.
[[nodiscard]] JuntaRanking search_by_steps(const JuntaTable& table, const JuntaScore& score,
                                           std::size_t k, std::size_t width, std::size_t top,
                                           Progress& progress);

}  // namespace fsieve::methods
