// Subsets by number, in colexicographic order.
#pragma once

#include <cstdint>
#include <vector>

namespace fsieve_cuda {

inline std::uint64_t choose(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  std::uint64_t result = 1;
  for (std::uint64_t i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
  return result;
}

// The ascending subset of a number.
inline std::vector<int> subset_of(std::uint64_t number, int k) {
  std::vector<int> subset(k);
  for (int j = k; j-- > 0;) {
    std::uint64_t low = j;
    std::uint64_t high = j + 1;
    while (choose(high, j + 1) <= number) high *= 2;
    while (high - low > 1) {
      const std::uint64_t middle = low + (high - low) / 2;
      (choose(middle, j + 1) <= number ? low : high) = middle;
    }
    subset[j] = static_cast<int>(low);
    number -= choose(low, j + 1);
  }
  return subset;
}

}  // namespace fsieve_cuda
