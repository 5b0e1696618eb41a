// Large matrix products on all threads, in tiles of fixed size: which thread does a tile does not
// change its numbers, so results are the same for any number of threads.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>

#include "blas/blas.h"

namespace fsieve::blas {

// Wide enough for OpenBLAS to run at its full rate (92 % and more of one large product).
inline constexpr std::size_t tile = 256;

// Calls body(row, rows, column, columns) for every tile of an m x n matrix, in parallel.
template <class Body>
void for_each_tile(std::size_t m, std::size_t n, const Body& body) {
  const std::size_t down = (m + tile - 1) / tile;
  const std::size_t across = (n + tile - 1) / tile;
  tbb::parallel_for(std::size_t{0}, down * across, [&](std::size_t t) {
    const std::size_t row = t % down * tile;
    const std::size_t column = t / down * tile;
    body(row, std::min(tile, m - row), column, std::min(tile, n - column));
  });
}

// gemm, tile by tile on all threads.
inline void tiled_gemm(Op a_op, Op b_op, std::size_t m, std::size_t n, std::size_t k, double alpha,
                       const double* a, std::size_t lda, const double* b, std::size_t ldb,
                       double beta, double* c, std::size_t ldc) {
  for_each_tile(m, n, [&](std::size_t i, std::size_t rows, std::size_t j, std::size_t columns) {
    gemm(a_op, b_op, rows, columns, k, alpha, a_op == Op::none ? a + i : a + i * lda, lda,
         b_op == Op::none ? b + j * ldb : b + j, ldb, beta, c + i + j * ldc, ldc);
  });
}

// solve_lower, with the columns of B on all threads.
inline void tiled_solve_lower(std::size_t m, std::size_t n, const double* l, std::size_t ldl,
                              double* b, std::size_t ldb) {
  for_each_tile(1, n, [&](std::size_t, std::size_t, std::size_t j, std::size_t columns) {
    solve_lower(m, columns, l, ldl, b + j * ldb, ldb);
  });
}

// solve_right_transposed, with the rows of B on all threads.
inline void tiled_solve_right_transposed(std::size_t m, std::size_t n, const double* l,
                                         std::size_t ldl, double* b, std::size_t ldb) {
  for_each_tile(m, 1, [&](std::size_t i, std::size_t rows, std::size_t, std::size_t) {
    solve_right_transposed(rows, n, l, ldl, b + i, ldb);
  });
}

}  // namespace fsieve::blas
