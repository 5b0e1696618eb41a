// Large matrix products on all threads, in tiles of fixed size: which thread does a tile does not
// change its numbers, so results are the same for any number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/parallel.h"
#include "linalg/blas.h"

namespace fsieve::blas {

inline constexpr std::size_t tile = 192;

// A piece of a matrix. One on the diagonal is lower triangular.
struct Tile {
  std::size_t row = 0;
  std::size_t rows = 0;
  std::size_t column = 0;
  std::size_t columns = 0;
  bool diagonal = false;
};

// Adds the tiles of the m x n block that starts at (row, column).
inline void add_tiles(std::size_t row, std::size_t m, std::size_t column, std::size_t n,
                      std::vector<Tile>& tiles) {
  for (std::size_t j = 0; j < n; j += tile) {
    for (std::size_t i = 0; i < m; i += tile) {
      tiles.push_back({row + i, std::min(tile, m - i), column + j, std::min(tile, n - j), false});
    }
  }
}

// Adds the tiles of the lower triangle of the n x n block that starts at (row, column).
inline void add_lower_tiles(std::size_t row, std::size_t column, std::size_t n,
                            std::vector<Tile>& tiles) {
  for (std::size_t j = 0; j < n; j += tile) {
    const std::size_t width = std::min(tile, n - j);
    tiles.push_back({row + j, width, column + j, width, true});
    add_tiles(row + j + width, n - j - width, column + j, width, tiles);
  }
}

// Calls body(tile) for every tile, in parallel.
template <class Body>
void for_each(const std::vector<Tile>& tiles, const Body& body) {
  in_parallel_one_by_one(tiles.size(), [&](std::size_t t) { body(tiles[t]); });
}

// gemm, tile by tile on all threads. One row or column is a product with a vector: gemm would copy
// the matrix first.
template <class Real>
void tiled_gemm(Op a_op, Op b_op, std::size_t m, std::size_t n, std::size_t k, Real alpha,
                const Real* a, std::size_t lda, const Real* b, std::size_t ldb, Real beta, Real* c,
                std::size_t ldc) {
  const bool column = n == 1 && b_op == Op::none;
  const bool row = !column && m == 1 && ldc == 1 && a_op == Op::transpose && b_op == Op::none;
  std::vector<Tile> tiles;
  add_tiles(0, m, 0, n, tiles);
  for_each(tiles, [&](const Tile& t) {
    const Real* a_tile = a_op == Op::none ? a + t.row : a + t.row * lda;
    const Real* b_tile = b_op == Op::none ? b + t.column * ldb : b + t.column;
    Real* c_tile = c + t.row + t.column * ldc;
    if (column) {
      const bool plain = a_op == Op::none;
      gemv(a_op, plain ? t.rows : k, plain ? k : t.rows, alpha, a_tile, lda, b, beta, c_tile);
    } else if (row) {
      gemv(Op::transpose, k, t.columns, alpha, b_tile, ldb, a, beta, c_tile);
    } else {
      gemm(a_op, b_op, t.rows, t.columns, k, alpha, a_tile, lda, b_tile, ldb, beta, c_tile, ldc);
    }
  });
}

// solve_lower, with the columns of B on all threads.
inline void tiled_solve_lower(std::size_t m, std::size_t n, const double* l, std::size_t ldl,
                              double* b, std::size_t ldb) {
  std::vector<Tile> tiles;
  add_tiles(0, 1, 0, n, tiles);
  for_each(tiles,
           [&](const Tile& t) { solve_lower(m, t.columns, l, ldl, b + t.column * ldb, ldb); });
}

// solve_right_transposed, with the rows of B on all threads.
inline void tiled_solve_right_transposed(std::size_t m, std::size_t n, const double* l,
                                         std::size_t ldl, double* b, std::size_t ldb) {
  if (n == 0) return;  // b need not be there
  std::vector<Tile> tiles;
  add_tiles(0, m, 0, 1, tiles);
  for_each(tiles,
           [&](const Tile& t) { solve_right_transposed(t.rows, n, l, ldl, b + t.row, ldb); });
}

}  // namespace fsieve::blas
