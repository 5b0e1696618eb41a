// How much of columns lies in the span of a few orthonormal functions, in single precision. A
// matrix product with so few functions spends most of its time on copies of the columns.
#pragma once

#include <cstddef>
#include <vector>

namespace fsieve::blas {

class SpanSquares {
 public:
  // `functions`: `count` columns over the rows, one after another.
  SpanSquares(const double* functions, std::size_t rows, std::size_t count);

  // squares[c] = Σ over the functions of <function, column c>², for columns that stand one after
  // another. Off by no more than rounding_of_inner_product() says of each inner product.
  void of(const float* columns, std::size_t count, float* squares) const;

 private:
  std::size_t rows_;
  std::size_t blocks_;            // of functions that a register holds
  std::vector<float> functions_;  // block by block: for each row its values, 0 beyond the last
};

}  // namespace fsieve::blas
