#include "methods/union/tile_moments.h"

#include <algorithm>
#include <bit>

#include "base/stop.h"
#include "linalg/blas.h"
#include "methods/union/scorer.h"

namespace fsieve::inline methods {

void TileMoments::add(const SubsetTile& tile, TileColumns columns, std::size_t rows,
                      const ProjectedLabel& label) {
  height_ = tile.b1 - tile.b0;
  width_ = tile.c1 - tile.c0;
  label_columns_ = label.columns();
  const std::size_t masks = std::size_t{1} << tile.outer.size();
  std::size_t powers = 1;
  for (std::size_t k = 0; k < tile.outer.size(); ++k) powers *= 3;
  make_outer(tile, columns, rows);
  moments_.assign(powers * moments_size(), 0.0);
  with_label_.assign(label_columns_ * masks * label_size(), 0.0);
  left_.resize(row_block * left());
  right_.resize(row_block * right());
  weights_.resize(row_block);
  for (std::size_t row = 0; row < rows; row += row_block) {
    const std::size_t count = std::min(row_block, rows - row);
    stop_if_asked();
    fill_right(tile, columns, row, count);
    for (std::size_t power = 0; power < powers; ++power) {
      weigh(power, tile, columns, row, count);
      fill_left(tile, columns, row, count, true);
      blas::gemm(blas::Op::transpose, blas::Op::none, left(), right(), count, 1.0, left_.data(),
                 count, right_.data(), count, 1.0, moments_.data() + power * moments_size(),
                 left());
    }
    for (std::size_t k = 0; k < label_columns_ * masks; ++k) {
      const double* y = label.column(k / masks) + row;
      const std::size_t mask = k % masks;
      for (std::size_t i = 0; i < count; ++i) {
        weights_[i] = mask == 0 ? y[i] : y[i] * outer_[mask][row + i];
      }
      fill_left(tile, columns, row, count, false);
      blas::gemm(blas::Op::transpose, blas::Op::none, 1 + height_, 1 + width_, count, 1.0,
                 left_.data(), count, right_.data(), count, 1.0,
                 with_label_.data() + k * label_size(), 1 + height_);
    }
  }
  const double scale = 1 / static_cast<double>(rows);
  for (double& value : moments_) value *= scale;
  for (double& value : with_label_) value *= scale;
}

void TileMoments::make_outer(const SubsetTile& tile, TileColumns columns, std::size_t rows) {
  const std::size_t masks = std::size_t{1} << tile.outer.size();
  outer_.resize(masks);
  outer_pointers_.assign(masks, nullptr);
  for (std::size_t mask = 1; mask < masks; ++mask) {
    const auto top = static_cast<std::size_t>(std::bit_width(mask)) - 1;
    const double* column = columns[tile.outer[top]];
    const std::size_t rest = mask ^ (std::size_t{1} << top);
    outer_[mask].resize(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      outer_[mask][i] = rest == 0 ? column[i] : outer_[rest][i] * column[i];
    }
    outer_pointers_[mask] = outer_[mask].data();
  }
}

// The product of powers of the outer things; digits of `power` to the base three.
void TileMoments::weigh(std::size_t power, const SubsetTile& tile, TileColumns columns,
                        std::size_t row, std::size_t rows) {
  std::fill_n(weights_.data(), rows, 1.0);
  for (const std::size_t q : tile.outer) {
    const double* column = columns[q] + row;
    for (std::size_t k = 0; k < power % 3; ++k) {
      for (std::size_t i = 0; i < rows; ++i) weights_[i] *= column[i];
    }
    power /= 3;
  }
}

void TileMoments::fill_right(const SubsetTile& tile, TileColumns columns, std::size_t row,
                             std::size_t rows) {
  std::fill_n(right_.data(), rows, 1.0);
  for (std::size_t c = 0; c < width_; ++c) {
    const double* column = columns[tile.c0 + c] + row;
    double* out = right_.data() + (1 + c) * rows;
    double* squared = out + width_ * rows;
    for (std::size_t i = 0; i < rows; ++i) {
      out[i] = column[i];
      squared[i] = column[i] * column[i];
    }
  }
}

void TileMoments::fill_left(const SubsetTile& tile, TileColumns columns, std::size_t row,
                            std::size_t rows, bool squares) {
  std::copy_n(weights_.data(), rows, left_.data());
  for (std::size_t b = 0; b < height_; ++b) {
    const double* column = columns[tile.b0 + b] + row;
    double* out = left_.data() + (1 + b) * rows;
    for (std::size_t i = 0; i < rows; ++i) out[i] = weights_[i] * column[i];
    if (!squares) continue;
    double* squared = out + height_ * rows;
    for (std::size_t i = 0; i < rows; ++i) squared[i] = out[i] * column[i];
  }
}

void TileMoments::assemble(std::size_t b, std::size_t c, OrthonormalProducts& out) const {
  const std::size_t masks = outer_pointers_.size();
  const std::size_t p = 4 * masks;
  out.resize(p, label_columns_);
  for (std::size_t l = 0; l < p; ++l) {
    for (std::size_t k = l; k < p; ++k) {
      std::size_t power = 0;
      std::size_t base = 1;
      for (std::size_t bit = 4; bit < p; bit *= 2, base *= 3) {
        power += base * (((k & bit) != 0 ? 1U : 0U) + ((l & bit) != 0 ? 1U : 0U));
      }
      const int c_power = static_cast<int>((k & 1U) + (l & 1U));
      const int b_power = static_cast<int>((k >> 1U & 1U) + (l >> 1U & 1U));
      out.gram[k + l * p] = moments_[power * moments_size() + at(b_power, b, c_power, c)];
    }
    const auto l_b = static_cast<int>(l >> 1U & 1U);
    const auto l_c = static_cast<int>(l & 1U);
    for (std::size_t y = 0; y < label_columns_; ++y) {
      out.products[y * p + l] =
          with_label_[(y * masks + l / 4) * label_size() + label_at(l_b, b, l_c, c)];
    }
  }
}

}  // namespace fsieve::methods
