// Counting the rows where some columns of bits are all set, for every choice among a few of them.
// Chosen at run time for this CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace fsieve::inline bits {

inline constexpr std::size_t most_masked = 6;

// Adds to counts[mask], for every mask but 0 of at most `most_masked` columns, how many bits all
// columns of the mask have in common in their first `words` words.
void add_mask_counts(std::span<const std::uint64_t* const> columns, std::size_t words,
                     std::uint32_t* counts);

}  // namespace fsieve::bits
