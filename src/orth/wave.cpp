#include "orth/wave.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "blas/tiles.h"

namespace fsieve {

using blas::Op;

WaveMatrix::WaveMatrix(std::vector<double> inner_products, std::size_t old_rows,
                       std::size_t columns, std::size_t singles)
    : data_(std::move(inner_products)),
      old_(old_rows),
      columns_(columns),
      singles_(singles),
      height_(old_rows + columns + singles) {}

void WaveMatrix::project_out(const std::vector<double>& lower,
                             const std::vector<double>& single_coordinates) {
  blas::tiled_solve_lower(old_, columns_, lower.data(), old_, data_.data(), height_);
  const double* old = data_.data();
  blas::for_each_tile(
      columns_, columns_, [&](std::size_t i, std::size_t down, std::size_t j, std::size_t across) {
        if (i + down <= j) return;
        blas::gemm(Op::transpose, Op::none, down, across, old_, -1.0, old + i * height_, height_,
                   old + j * height_, height_, 1.0, at(i, j), height_);
      });
  blas::tiled_gemm(Op::none, Op::none, singles_, columns_, old_, -1.0, single_coordinates.data(),
                   singles_, old, height_, 1.0, at(columns_, 0), height_);
}

std::vector<std::size_t> WaveMatrix::factorise(std::size_t begin, std::size_t end,
                                               const std::function<bool(std::size_t)>& keep) {
  std::vector<std::size_t> kept;
  factorise_panel(begin, end, keep, kept);
  update_rest(begin, end, kept);
  return kept;
}

void WaveMatrix::factorise_panel(std::size_t begin, std::size_t end,
                                 const std::function<bool(std::size_t)>& keep,
                                 std::vector<std::size_t>& kept) {
  begin_ = begin;
  width_ = end - begin;
  panel_.assign(width_ * width_, 0);
  for (std::size_t j = 0; j < width_; ++j) {
    std::copy_n(at(begin + j, begin + j), width_ - j, panel_.data() + j + j * width_);
  }
  for (std::size_t i = 0; i < width_; ++i) {
    if (!keep(begin + i)) continue;
    double* column = panel_.data() + i * width_;
    const double norm = std::sqrt(column[i]);
    for (std::size_t k = i; k < width_; ++k) column[k] /= norm;
    for (std::size_t j = i + 1; j < width_; ++j) {
      blas::axpy(width_ - j, -column[j], column + j, panel_.data() + j + j * width_);
    }
    std::copy_n(column + i, width_ - i, at(begin + i, begin + i));
    kept.push_back(begin + i);
  }
}

void WaveMatrix::update_rest(std::size_t begin, std::size_t end,
                             const std::vector<std::size_t>& kept) {
  const std::size_t count = kept.size();
  const std::size_t below = columns_ + singles_ - end;
  if (count == 0 || below == 0) return;
  std::vector<double> diagonal(count * count);
  std::vector<double> rest(below * count);
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t l = k; l < count; ++l) {
      diagonal[l + k * count] = panel_[(kept[l] - begin) + (kept[k] - begin) * width_];
    }
    std::copy_n(at(end, kept[k]), below, rest.data() + k * below);
  }
  blas::tiled_solve_right_transposed(below, count, diagonal.data(), count, rest.data(), below);
  for (std::size_t k = 0; k < count; ++k) {
    std::copy_n(rest.data() + k * below, below, at(end, kept[k]));
  }
  blas::for_each_tile(below, columns_ - end,
                      [&](std::size_t i, std::size_t down, std::size_t j, std::size_t across) {
                        if (i + down <= j) return;
                        blas::gemm(Op::none, Op::transpose, down, across, count, -1.0,
                                   rest.data() + i, below, rest.data() + j, below, 1.0,
                                   at(end + i, end + j), height_);
                      });
}

}  // namespace fsieve
