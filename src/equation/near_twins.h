// Columns that equal another one in all rows but a single one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "equation/sheet.h"

namespace fsieve::inline equation {

// A column of which most values are `usual`.
struct RareColumn {
  std::size_t column = 0;
  double usual = 0;
};

// For each of these the largest share of its variance that a single row leaves of a column which
// is, in all other rows, the rare one up to unit and origin; 0 where there is none.
[[nodiscard]] std::vector<double> left_by_one_row(const Sheet& sheet,
                                                  std::span<const RareColumn> columns);

}  // namespace fsieve::equation
