#include "bits/subset_counts.h"

#include <array>

#include "bits/mask_count.h"

namespace fsieve::inline bits {

SubsetCounts::SubsetCounts(const ClassSegments& order, const BitStore& bits,
                           std::span<const std::size_t> subset)
    : bits_(static_cast<int>(subset.size()) - 1), classes_(order.classes()) {
  const std::size_t masks = std::size_t{1} << subset.size();
  for (std::size_t k = 0; k < classes_; ++k) {
    std::array<std::uint32_t, std::size_t{1} << most_masked> counts{};
    std::array<const std::uint64_t*, most_masked> columns{};
    const auto& [first, words] = order.segments[k];
    for (std::size_t j = 0; j < subset.size(); ++j) columns[j] = bits.column(subset[j]) + first;
    add_mask_counts(std::span(columns).first(subset.size()), words, counts.data());
    counts[0] = order.rows[k];
    for (std::size_t mask = 0; mask < masks; mask += 2) {
      without_.push_back(counts[mask]);
      with_.push_back(counts[mask + 1]);
    }
  }
  for (const std::uint32_t& count : with_) places_.push_back(&count);
}

}  // namespace fsieve::bits
