// The middle of columns, exactly, in passes over a table that need not be in memory.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fsieve/source.h"

namespace fsieve::inline data {

struct Middle {
  double lower = 0;  // the two values in the middle, one twice where the number of rows is odd
  double upper = 0;
  double largest = 0;
  double next = 0;  // the largest value below the largest; −∞ where there is none

  [[nodiscard]] double median() const { return lower + (upper - lower) / 2; }
};

// Of some columns of the source's blocks, rows unweighted, at least one. No more than about
// `most_values` numbers are held at a time.
[[nodiscard]] std::vector<Middle> middles_of(const Source& source,
                                             std::span<const std::size_t> columns,
                                             std::size_t most_values = std::size_t{1} << 23U);

}  // namespace fsieve::data
