// From double to single precision, for what only screens.
#pragma once

#include <cstddef>
#include <vector>

namespace fsieve::blas {

inline void narrow(std::size_t count, const double* from, float* to) {
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<float>(from[i]);
}

inline std::vector<float> narrowed(const double* from, std::size_t count) {
  std::vector<float> to(count);
  narrow(count, from, to.data());
  return to;
}

}  // namespace fsieve::blas
