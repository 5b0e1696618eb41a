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

// Of a column's numbers.
struct Sizes {
  double squares = 0;
  double sum = 0;  // without signs
  double largest = 0;
};
[[nodiscard]] Sizes sizes_of(std::size_t rows, const double* column);

// To 16 bits. `sizes`: of the column; so below.
void round_finely(const std::vector<double>& column, const Sizes& sizes, const RoundedTo& to);
// To 8 bits, with `more` added to each; returns what the numbers sum to without that.
std::int32_t round_coarsely(const std::vector<double>& column, const Sizes& sizes,
                            std::int32_t more, const RoundedTo& to);
// Numbers that are not below 0, to 8 bits and down, the largest to `most`.
void round_down(const std::vector<double>& column, const Sizes& sizes, double most,
                const RoundedTo& to);

}  // namespace fsieve::methods
