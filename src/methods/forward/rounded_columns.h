// Columns rounded to whole numbers of 16 or of 8 bits, several of them in a word, for the screen of
// pairs (pair_screen_kernel.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fsieve::inline methods {

// Rows in a word.
constexpr std::size_t fine_rows = 2;
constexpr std::size_t coarse_rows = 4;

// Where the words of a column are written, `stride` apart, and what the kernel has to know of it.
struct RoundedTo {
  std::int32_t* words;
  std::size_t stride;
  float& unit;
  float& off;
};

// Of the numbers without their signs.
[[nodiscard]] double sum_of_sizes(std::size_t rows, const double* column);

// To 16 bits.
void round_finely(const std::vector<double>& column, const RoundedTo& to);
// To 8 bits, with `more` added to each; returns what the numbers sum to without that.
std::int32_t round_coarsely(const std::vector<double>& column, std::int32_t more,
                            const RoundedTo& to);
// Numbers that are not below 0, to 8 bits and down, the largest to `most`.
void round_down(const std::vector<double>& column, double most, const RoundedTo& to);

}  // namespace fsieve::methods
