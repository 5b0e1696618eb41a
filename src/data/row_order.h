// Rows in the order of a column's values.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fsieve::inline data {

// Equal values in the order of their rows.
[[nodiscard]] std::vector<std::size_t> rows_in_order(std::span<const double> values);

}  // namespace fsieve::data
