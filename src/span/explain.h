// From coordinates on a group's orthonormal functions to the parities that explain a feature.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "fsieve/progress.h"
#include "span/ledger.h"

namespace fsieve::inline span {

// Fills Standing::supports of `features`. `lower` holds the coordinates of the kept parities (rank
// x rank, lower triangular), `coordinate(column, k)` those of design columns at their turn. Only
// parities of features that stay are used.
void explain_from_coordinates(const Design& design, const std::vector<Parity>& kept,
                              const std::vector<double>& lower,
                              const std::vector<std::size_t>& features, Ledger& ledger,
                              const std::function<double(std::size_t, std::size_t)>& coordinate,
                              Progress& progress);

}  // namespace fsieve::span
