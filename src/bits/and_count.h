// Counting common bits of columns of bits, many pairs at once. Chosen at run time for this CPU.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fsieve::inline bits {

// A block of pairs of bit columns: counts[r * stride + c] is for rows[r] and columns[c].
struct CountBlock {
  const std::uint64_t* const* rows;
  std::size_t row_count;
  const std::size_t* limits;  // row r is wanted with the columns before limits[r] (not decreasing)
  const std::uint64_t* const* columns;
  std::size_t column_count;
  std::uint32_t* counts;
  std::size_t stride;
};

// out = a and b, word by word.
void and_words(const std::uint64_t* a, const std::uint64_t* b, std::size_t words,
               std::uint64_t* out);

// Adds popcount(row and column) of the words [first, first + words) to the counts. Counts past a
// row's limit may be touched too. Eight words past the last one must be readable.
void add_and_counts(const CountBlock& block, std::size_t first, std::size_t words);

}  // namespace fsieve::bits
