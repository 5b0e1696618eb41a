// Bits of rows, one part behind the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/sign_bits.h"

namespace fsieve::inline bits {

// `count` bits behind the first `before` ones; all past the end of both are clear.
inline void append_bits(std::vector<std::uint64_t>& to, std::size_t before,
                        std::span<const std::uint64_t> bits, std::size_t count) {
  const std::size_t shift = before % 64;
  to.resize(words_for(before + count));
  for (std::size_t w = 0; w < words_for(count); ++w) {
    const std::size_t at = before / 64 + w;
    to[at] |= bits[w] << shift;
    if (shift > 0 && at + 1 < to.size()) to[at + 1] |= bits[w] >> (64 - shift);
  }
}

}  // namespace fsieve::bits
