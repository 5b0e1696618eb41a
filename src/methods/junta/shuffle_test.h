// What the best score of a search is worth: how well labels that mean nothing do, searched alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "fsieve/model.h"
#include "fsieve/progress.h"
#include "methods/junta/junta_table.h"

namespace fsieve::inline methods {

// The best score of a table.
using BestScore = std::function<double(const JuntaTable&)>;

// Deals the labels to the rows at random `permutations` times, one or more, and compares the best
// scores with `score`, that of the true labels.
[[nodiscard]] ShuffleTest test_by_shuffles(const JuntaTable& table, double score,
                                           std::size_t permutations, std::uint64_t seed,
                                           const BestScore& best_score, Progress& progress);

}  // namespace fsieve::methods
