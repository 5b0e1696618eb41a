// How much of the residual the products of all pairs of columns hold, one by one.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace fsieve::inline methods {

// promise[(u − u0) + (v − v0)(u1 − u0)] for columns u and v; only u < v is meant.
struct PromiseTile {
  std::size_t u0, u1, v0, v1;
  const double* promise;
};

using PromiseTaker = std::function<void(const PromiseTile&)>;

// The pairs of so many columns.
[[nodiscard]] std::vector<PromiseTile> all_pairs(std::size_t count);

// For pairs of columns [u0, u1) and [v0, v1) of each part, times `weight`: the sum over the
// residual's columns of the squared inner product with (column u · column v · weight), over the
// squared norm of that product. Matrix products over tiles, which are handed over from many
// threads: F^T Diag(residual · weight) F for each column of the residual, and the same of squares
// for the norms. In single precision, at twice the speed: the best pairs are judged again, exactly.
void pair_promises(std::size_t rows, const float* columns, const std::vector<PromiseTile>& parts,
                   const std::vector<double>& weight, const std::vector<double>& residual,
                   const PromiseTaker& take);

}  // namespace fsieve::methods
