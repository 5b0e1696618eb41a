#include "bits/bit_split.h"

#include <algorithm>
#include <bit>

#include "bits/value_bits.h"
#include "data/sign_bits.h"

namespace fsieve::inline bits {

BitSplit::BitSplit(const ClassSegments& order)
    : next_{order.segments[0].first * 64, order.segments[1].first * 64} {}

void BitSplit::go_on(std::span<const std::uint8_t> codes) {
  const std::size_t words = words_for(codes.size());
  for (std::size_t k = 0; k < 2; ++k) {
    masks_[k].assign(words, 0);
    places_[k].resize(words);
  }
  for (std::size_t w = 0; w < words; ++w) {
    const std::size_t count = std::clamp<std::size_t>(codes.size() - w * 64, 1, 64);
    for (std::size_t i = 0; i < count; ++i) {
      masks_[1][w] |= std::uint64_t{codes[w * 64 + i]} << i;
    }
    masks_[0][w] = ~masks_[1][w] & (~std::uint64_t{0} >> (64 - count));
    for (std::size_t k = 0; k < 2; ++k) {
      places_[k][w] = next_[k];
      next_[k] += static_cast<std::size_t>(std::popcount(masks_[k][w]));
    }
  }
}

void BitSplit::add(std::span<const std::uint64_t> bits, std::uint64_t* column) const {
  std::vector<std::uint64_t> gathered(bits.size());
  for (std::size_t k = 0; k < 2; ++k) {
    gather_bits(bits, masks_[k], gathered.data());
    for (std::size_t w = 0; w < bits.size(); ++w) {
      if (gathered[w] == 0) continue;  // behind the last row of a class another column may begin
      const std::size_t shift = places_[k][w] % 64;
      std::uint64_t* to = column + places_[k][w] / 64;
      to[0] |= gathered[w] << shift;
      const std::uint64_t rest = shift > 0 ? gathered[w] >> (64 - shift) : 0;
      if (rest != 0) to[1] |= rest;  // what stands there may be another column's
    }
  }
}

}  // namespace fsieve::bits
