// The measure of all subsets of two-valued features, from their counts.
#pragma once

#include <cstddef>
#include <vector>

#include "bits/class_bits.h"
#include "bits/number_ranges.h"
#include "bits/subset_tiles.h"
#include "fsieve/device.h"
#include "measure/ranking.h"

namespace fsieve::inline methods {

// Offers every subset of `size` >= 2 of the features to the ranking, but for those that cannot
// enter it. A device screens them where there are two classes. Column j of `bits` belongs to
// features[j] (ascending).
void rank_sign_subsets(const ClassSegments& order, const BitStore& bits,
                       const std::vector<std::size_t>& features, int size, double table_bytes,
                       const Device& device, Ranking& ranking, SharedProgress& progress);

// The same of the subsets of these numbers, on the CPU.
void rank_sign_range(const ClassSegments& order, const BitStore& bits,
                     const std::vector<std::size_t>& features, int size, NumberRange range,
                     Ranking& ranking, SharedProgress& progress);

}  // namespace fsieve::methods
