#include "bits/mask_count.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bits/mask_count.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <hwy/highway.h>

#include <bit>

#include "base/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace fsieve::inline bits::HWY_NAMESPACE {

// Word by word: what matters is the instruction that counts one, which not every machine has.
template <std::size_t kColumns>
void AddMasks(const std::uint64_t* const* columns, std::size_t words, std::uint32_t* counts) {
  constexpr std::size_t masks = std::size_t{1} << kColumns;
  std::uint64_t sums[masks] = {};
  for (std::size_t w = 0; w < words; ++w) {
    std::uint64_t together[masks];
    together[0] = ~std::uint64_t{0};
    for (std::size_t j = 0; j < kColumns; ++j) {
      const std::size_t bit = std::size_t{1} << j;
      const std::uint64_t word = columns[j][w];
      for (std::size_t mask = 0; mask < bit; ++mask) together[bit + mask] = together[mask] & word;
    }
    for (std::size_t mask = 1; mask < masks; ++mask) {
      sums[mask] += static_cast<std::uint64_t>(std::popcount(together[mask]));
    }
  }
  for (std::size_t mask = 1; mask < masks; ++mask) {
    counts[mask] += static_cast<std::uint32_t>(sums[mask]);
  }
}

void AddMaskCounts(std::span<const std::uint64_t* const> columns, std::size_t words,
                   std::uint32_t* counts) {
  switch (columns.size()) {
    case 1:
      return AddMasks<1>(columns.data(), words, counts);
    case 2:
      return AddMasks<2>(columns.data(), words, counts);
    case 3:
      return AddMasks<3>(columns.data(), words, counts);
    case 4:
      return AddMasks<4>(columns.data(), words, counts);
    case 5:
      return AddMasks<5>(columns.data(), words, counts);
    default:
      return AddMasks<6>(columns.data(), words, counts);
  }
}

}  // namespace fsieve::bits::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fsieve::inline bits {

HWY_EXPORT(AddMaskCounts);

void add_mask_counts(std::span<const std::uint64_t* const> columns, std::size_t words,
                     std::uint32_t* counts) {
  FSIEVE_DISPATCH(AddMaskCounts)(columns, words, counts);
}

}  // namespace fsieve::bits
#endif
