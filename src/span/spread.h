// How what a basis leaves of columns is spread over parities and over rows.
#pragma once

#include <cstddef>
#include <vector>

#include "basis/parity.h"
#include "data/design.h"
#include "fsieve/source.h"

namespace fsieve::inline span {

// A design column, and its coordinates on the first `rank` functions of a basis.
struct Leftover {
  std::size_t column = 0;
  std::size_t rank = 0;
  std::vector<double> coordinates;
};

// `weights`: the sum of the squared norms of the parities in what is left, each times its
// coefficient: by these errors of inner products enter it. `tails`: the number of rows times the
// sum of its fourth powers, by its squared sum of squares; of normal values 3, large where few rows
// hold most of it.
struct Spread {
  double weights = 0;
  double tails = 3;
};

// Of what is left of each. `lower`: coordinates of the kept parities on each other. `source` must
// be in memory, where tails are asked for.
[[nodiscard]] std::vector<Spread> spreads_of(const Source& source, const Design& design,
                                             const std::vector<Parity>& kept,
                                             const std::vector<double>& lower,
                                             const std::vector<Leftover>& wanted, bool tails);

}  // namespace fsieve::span
