// Two-valued columns as bits: the smaller value is −1, a set bit.
#pragma once

#include <cstddef>
#include <cstdint>

#include "data/design.h"

namespace fsieve::inline data {

[[nodiscard]] constexpr std::size_t words_for(std::size_t rows) { return (rows + 63) / 64; }

// Packs a two-valued design column of a block into words_for(block.rows) words; bits past the last
// row are clear.
void pack_signs(const Design& design, const Block& block, std::size_t column, std::uint64_t* bits);

// The mean of a ±1 product that is −1 in `minus` of `rows` rows.
[[nodiscard]] inline double sign_mean(std::int64_t minus, std::size_t rows) {
  return 1 - 2 * static_cast<double>(minus) / static_cast<double>(rows);
}

// The deviation of a ±1 column: √(1 − mean²), with no digits lost where the mean is near ±1.
[[nodiscard]] double sign_deviation(std::int64_t minus, std::size_t rows);

}  // namespace fsieve::data
