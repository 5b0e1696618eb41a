// Long vectors in pieces that an int can count.
#pragma once

#include <algorithm>
#include <cstddef>

namespace fsieve::blas {

// Calls body(first, count) for consecutive pieces of at most `most`.
template <class Body>
void for_each_piece(std::size_t n, std::size_t most, const Body& body) {
  for (std::size_t first = 0; first < n; first += most) body(first, std::min(most, n - first));
}

}  // namespace fsieve::blas
