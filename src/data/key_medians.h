// The middle of columns whose rows lie elsewhere: by counts alone, no value leaves its place.
#pragma once

#include <span>
#include <vector>

#include "data/medians.h"
#include "fsieve/source.h"

namespace fsieve::inline data {

// As middles_of(). Numbers are whole numbers of 64 bits in the same order; a pass finds the next
// bits of the two in the middle.
[[nodiscard]] std::vector<Middle> middles_by_counts(const Source& source,
                                                    std::span<const std::size_t> columns);

}  // namespace fsieve::data
