#include "span/wave.h"

#include <algorithm>
#include <utility>

#include "linalg/tiles.h"

namespace fsieve::inline span {

using blas::Op;

WaveMatrix::WaveMatrix(Buffer inner_products, std::size_t old_rows, std::size_t columns,
                       std::size_t singles)
    : WaveColumns(std::move(inner_products), old_rows, old_rows + columns + singles),
      columns_(columns),
      singles_(singles) {}

std::vector<double> WaveMatrix::squares() const {
  std::vector<double> diagonal(columns_);
  for (std::size_t q = 0; q < columns_; ++q) diagonal[q] = on_new(q, q);
  return diagonal;
}

void WaveMatrix::project_out(const double* lower, std::size_t stride,
                             const std::vector<double>& single_coordinates) {
  if (old_ == 0) return;
  blas::tiled_solve_lower(old_, columns_, lower, stride, data_.data(), height_);
  const double* old = data_.data();
  std::vector<blas::Tile> tiles;
  blas::add_lower_tiles(0, 0, columns_, tiles);
  blas::for_each(tiles, [&](const blas::Tile& t) {
    const double* right = old + t.column * height_;
    if (t.diagonal) {
      blas::syrk_lower(Op::transpose, t.columns, old_, -1.0, right, height_, 1.0,
                       at(t.row, t.column), height_);
    } else {
      blas::gemm(Op::transpose, Op::none, t.rows, t.columns, old_, -1.0, old + t.row * height_,
                 height_, right, height_, 1.0, at(t.row, t.column), height_);
    }
  });
  blas::tiled_gemm(Op::none, Op::none, singles_, columns_, old_, -1.0, single_coordinates.data(),
                   singles_, old, height_, 1.0, at(columns_, 0), height_);
}

std::vector<std::size_t> WaveMatrix::factorise(std::size_t begin, std::size_t end,
                                               const std::function<bool(std::size_t)>& keep) {
  std::vector<std::size_t> kept = panel_.factorise(begin, end, at(begin, begin), height_, keep);
  update_rest(end, kept);
  return kept;
}

void WaveMatrix::update_rest(std::size_t end, const std::vector<std::size_t>& kept) {
  const std::size_t count = kept.size();
  const std::size_t below = columns_ + singles_ - end;
  if (count == 0 || below == 0) return;
  const std::vector<double> diagonal = panel_.coordinates(kept);
  std::vector<double> rest(below * count);
  for (std::size_t k = 0; k < count; ++k) {
    std::copy_n(at(end, kept[k]), below, rest.data() + k * below);
  }
  blas::tiled_solve_right_transposed(below, count, diagonal.data(), count, rest.data(), below);
  for (std::size_t k = 0; k < count; ++k) {
    std::copy_n(rest.data() + k * below, below, at(end, kept[k]));
  }
  std::vector<blas::Tile> tiles;
  blas::add_lower_tiles(0, 0, columns_ - end, tiles);
  blas::add_tiles(columns_ - end, singles_, 0, columns_ - end, tiles);
  blas::for_each(tiles, [&](const blas::Tile& t) {
    double* target = at(end + t.row, end + t.column);
    if (t.diagonal) {
      blas::syrk_lower(Op::none, t.columns, count, -1.0, rest.data() + t.column, below, 1.0, target,
                       height_);
    } else {
      blas::gemm(Op::none, Op::transpose, t.rows, t.columns, count, -1.0, rest.data() + t.row,
                 below, rest.data() + t.column, below, 1.0, target, height_);
    }
  });
}

}  // namespace fsieve::span
