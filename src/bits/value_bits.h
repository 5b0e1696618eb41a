// From columns of numbers to bits, at the speed of memory. Chosen at run time for this CPU.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace fsieve::inline bits {

// How many of the numbers equal each of two; bit i of `words` (as below): does number i equal the
// second?
[[nodiscard]] std::array<std::uint64_t, 2> count_equal(std::span<const double> numbers,
                                                       double first, double second,
                                                       std::uint64_t* words);

// Bit i: is number i above the mark, or equal to it? Every 64 numbers begun are a word.
void pack_above(std::span<const double> numbers, double mark, std::uint64_t* words);
void pack_equal(std::span<const double> numbers, double mark, std::uint64_t* words);

// The bits of a word whose mask is set, side by side from the lowest on.
void gather_bits(std::span<const std::uint64_t> words, std::span<const std::uint64_t> masks,
                 std::uint64_t* gathered);

}  // namespace fsieve::bits
