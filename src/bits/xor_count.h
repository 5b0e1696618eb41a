// How many bits differ between columns of bits: the kernel of all counting over ±1 features.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fsieve::inline bits {

// Adds popcount(a_i xor b_j) over `words` 64-bit words to counts[i * 4 + j], for four columns a_i
// and four b_j (pointers may repeat). Chosen at run time for this CPU.
void add_xor_counts_4x4(const std::uint64_t* const a[4], const std::uint64_t* const b[4],
                        std::size_t words, std::int64_t counts[16]);

}  // namespace fsieve::bits
