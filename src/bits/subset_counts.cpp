#include "bits/subset_counts.h"

#include <array>
#include <bit>

namespace fsieve::inline bits {

SubsetCounts::SubsetCounts(const ClassSegments& order, const BitStore& bits,
                           std::span<const std::size_t> subset)
    : bits_(static_cast<int>(subset.size()) - 1), classes_(order.classes()) {
  constexpr std::size_t most = 64;
  const std::size_t masks = std::size_t{1} << subset.size();
  for (std::size_t k = 0; k < classes_; ++k) {
    std::array<std::uint32_t, most> counts{};
    std::array<std::uint64_t, most> together{};  // rows where all of a mask are set
    const auto& [first, words] = order.segments[k];
    for (std::size_t w = first; w < first + words; ++w) {
      together[0] = ~std::uint64_t{0};
      for (std::size_t j = 0; j < subset.size(); ++j) {
        const std::size_t bit = std::size_t{1} << j;
        const std::uint64_t word = bits.column(subset[j])[w];
        for (std::size_t mask = 0; mask < bit; ++mask) together[bit + mask] = together[mask] & word;
      }
      for (std::size_t mask = 1; mask < masks; ++mask) {
        counts[mask] += static_cast<std::uint32_t>(std::popcount(together[mask]));
      }
    }
    counts[0] = order.rows[k];
    for (std::size_t mask = 0; mask < masks; mask += 2) {
      without_.push_back(counts[mask]);
      with_.push_back(counts[mask + 1]);
    }
  }
  for (const std::uint32_t& count : with_) places_.push_back(&count);
}

}  // namespace fsieve::bits
