// Columns that say what another one says: as candidates they are one.
#pragma once

#include <cstddef>
#include <vector>

#include "data/supervised_data.h"

namespace fsieve::inline methods {

// The features that may be chosen, without those that equal another one up to unit, origin and a
// ten-thousandth of its spread in every row. Of such columns the one of fewest different values
// stays, then the first.
[[nodiscard]] std::vector<std::size_t> without_near_copies(const SupervisedData& data);

}  // namespace fsieve::methods
