// Columns that equal another one in all rows but a single one.
#pragma once

#include <cstddef>

#include "equation/sheet.h"

namespace fsieve::inline equation {

// The largest share of its variance that a single row leaves of a column which is, in all other
// rows, a column of which most values are `usual`, up to unit and origin; 0 where there is none.
[[nodiscard]] double left_by_one_row(const Sheet& sheet, std::size_t column, double usual);

}  // namespace fsieve::equation
