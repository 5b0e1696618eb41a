// Philox4x32-10: a random number generator without a state (Salmon et al., SC 2011). The numbers
// are a function of a key and a counter, so any row of a table can be made at any time.
#pragma once

#include <array>
#include <cstdint>

namespace fsieve::inline base {

using Philox128 = std::array<std::uint32_t, 4>;

[[nodiscard]] constexpr Philox128 philox(Philox128 counter, std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53;
  constexpr std::uint64_t kMultiplier1 = 0xCD9E8D57;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = kMultiplier0 * counter[0];
    const std::uint64_t b = kMultiplier1 * counter[2];
    counter = {
        static_cast<std::uint32_t>(b >> 32U) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
        static_cast<std::uint32_t>(a >> 32U) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9;  // golden ratio
    key[1] += 0xBB67AE85;  // square root of 3, less 1
  }
  return counter;
}

}  // namespace fsieve::base
