// The measure of all subsets of two-valued features, from their counts.
#pragma once

#include <cstddef>
#include <vector>

#include "score/class_bits.h"
#include "score/ranking.h"
#include "score/subset_tiles.h"

namespace fsieve {

// Offers every subset of `size` >= 2 of the features to the ranking, but for those that cannot
// enter it. Column j of `bits` belongs to features[j] (ascending).
void rank_sign_subsets(const ClassOrder& order, const BitStore& bits,
                       const std::vector<std::size_t>& features, int size, double table_bytes,
                       Ranking& ranking, SharedProgress& progress);

}  // namespace fsieve
