// The bound that spares exact scores: integer sums over the cells of many subsets at once say which
// of them may make a good score. Chosen at run time for this CPU.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bits/prefix_counts.h"

namespace fsieve::inline bits {

// Writes to `found` the c whose subsets have sum over cells of max(|n+ − n−|, 1), for two classes,
// or of the largest class, for more, of at least `least`: no smaller than (n − 1) times the score.
// Returns how many there are. Sixteen counts past the last one must be readable.
std::size_t find_promising(const PrefixCounts& counts, std::int32_t least, std::uint32_t* found);
// The same of two classes by their leads, for up to eight prefixes of two to five features.
struct PromisingPair {
  std::uint32_t b, c;
};
std::size_t find_promising(const PrefixLeadBlock& leads, std::int32_t least, PromisingPair* found);

}  // namespace fsieve::bits
