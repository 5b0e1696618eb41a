// From double to single precision, for what only screens.
#pragma once

#include <algorithm>
#include <cmath>
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

// How far an inner product of n terms in single precision may be off, relative to the norms of its
// factors. At most `piece` products are summed before they are added to the result, by the matrix
// routine or by its caller, so a sum is rounded piece + n/piece times, each time by at most
// u = 2^-24 of what it has come to, which is less than the product of the norms. Roundings go up as
// often as down: the chance that together they exceed λ √(piece + n/piece) u is below
// 2 exp(−λ²/2) (Higham and Mary, 2019), 3e-8 for λ = 6. Without this, for every single case, the
// bound would be (piece + n/piece) u, twenty times what is ever seen.
inline double rounding_of_inner_product(std::size_t n) {
  constexpr double piece = 768;
  constexpr double certainty = 6;
  constexpr double u = 1.0 / (1U << 24U);
  const auto rows = static_cast<double>(n);
  return certainty * std::sqrt(std::min(rows, piece) + rows / piece) * u;
}

}  // namespace fsieve::blas
