#include "table/row_numbers.h"

#include "table/set_aside.h"

namespace fsieve::io::inline table {

bool RowNumbers::count_rows() const {
  if (!possible_ || count_ < kFewestNamedRows) return false;
  const auto count = static_cast<double>(count_);
  // Two thirds of the rows of a table that was numbered are numbered with gaps. Quantities lie
  // further apart, or repeat: 20 draws of 30 numbers are all different once in 50 000 times.
  constexpr double most_per_row = 1.5;
  if (most_ - least_ + 1 > most_per_row * count) return false;
  constexpr double share = 0.98;  // of counted values; estimates need room
  return distinct_.estimate() >= (distinct_.exact() ? share : kShareDistinct) * count;
}

}  // namespace fsieve::io::table
