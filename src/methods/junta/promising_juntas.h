// The bound that spares exact scores of the junta learner: sums over the cells of many subsets at
// once, in single precision, say which of them may score well. Chosen at run time for this CPU.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bits/prefix_counts.h"

namespace fsieve::inline methods {

// What all subsets {c, prefix} share. Cells of the prefix are masks of the features that are set.
struct JuntaPrefix {
  PrefixCounts counts;         // of two classes
  const float* weights;        // per cell of the prefix: the product of n / n_j
  const std::int32_t* lead;    // per cell: rows of the second class minus rows of the first
  const std::int32_t* size;    // per cell: rows
  const float* set_weights;    // per c: n / rows with c set
  const float* clear_weights;  // per c: n / rows with c not set
};

// Writes to `found` the c with sum over cells of weight · (max(|n+ − n−|, 1) · (N − 1) + 1), which
// is no smaller than n (n − 1) times the score, of at least `least`, up to rounding that is allowed
// for. Returns how many there are. Sixteen counts and weights past the last one must be readable.
std::size_t find_promising_juntas(const JuntaPrefix& prefix, double least, std::uint32_t* found);

}  // namespace fsieve::methods
