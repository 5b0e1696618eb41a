// A product of two functions on the rows, behind the others of a list.
#pragma once

#include <cstddef>
#include <vector>

namespace fsieve::inline methods {

// `a` may point into `to`, which must have room.
inline void append_product(std::size_t n, const double* a, const double* b,
                           std::vector<double>& to) {
  const std::size_t at = to.size();
  to.resize(at + n);
  for (std::size_t i = 0; i < n; ++i) to[at + i] = a[i] * b[i];
}

}  // namespace fsieve::methods
