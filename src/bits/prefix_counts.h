// How often the features of a subset are set together, for all subsets that share all features but
// one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fsieve::inline bits {

// The counts of one prefix (all features of a subset but one) with `count` last features. For class
// k and a subset S of the prefix (a mask), with[k << bits | S][c] rows have S and c set, and
// without[k << bits | S] rows have S set.
struct PrefixCounts {
  int bits;  // features in the prefix
  std::size_t classes;
  const std::uint32_t* const* with;
  const std::uint32_t* without;
  std::size_t count;
};

// The same of two classes where only their difference is known: how many more rows of the second
// than of the first have S and c, or S, set.
struct PrefixLeads {
  int bits;
  const std::int32_t* const* with;
  const std::int32_t* without;
  std::size_t count;
};

// Leads of neighbouring prefixes: {b, outer features} with b in [b0, b1), each with all c < b. The
// subsets of the outer features are masks S below 2^(bits − 1).
struct PrefixLeadBlock {
  int bits;  // features in a prefix
  std::size_t b0, b1;
  const std::int32_t* const* with;    // S and c
  const std::int32_t* without;        // S
  const std::int32_t* const* with_b;  // S, b and c: at [(b − b0) << (bits − 1) | S]
  const std::int32_t* without_b;      // S and b: the same place
};

// The table of the subset {c, prefix}: cells[k << (bits + 1) | s] rows of class k have exactly the
// prefix's features in the low bits of s set, and c set if the top bit is 0 (Möbius).
inline void make_cells(const PrefixCounts& counts, std::size_t c,
                       std::vector<std::int64_t>& cells) {
  const std::size_t half = std::size_t{1} << counts.bits;
  cells.resize(2 * half * counts.classes);
  for (std::size_t k = 0; k < counts.classes; ++k) {
    std::int64_t* of_class = cells.data() + k * 2 * half;
    for (std::size_t s = 0; s < half; ++s) {
      of_class[s] = counts.with[k * half + s][c];
      of_class[half + s] = counts.without[k * half + s] - of_class[s];
    }
    for (std::size_t step = 1; step < half; step *= 2) {
      for (std::size_t s = 0; s < 2 * half; ++s) {
        if ((s & step) == 0) of_class[s] -= of_class[s + step];
      }
    }
  }
}

}  // namespace fsieve::bits
