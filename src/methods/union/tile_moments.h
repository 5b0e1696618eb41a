// All inner products that the Gram matrices of a tile of subsets are made of: sums of products of
// powers up to two of each column, by a few matrix products.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bits/subset_tiles.h"
#include "methods/union/orthonormal_products.h"
#include "methods/union/projected_label.h"

namespace fsieve::inline methods {

// Columns of one thing each, `rows` long.
using TileColumns = std::span<const double* const>;

// A subset {q…, b, c} has a product for each mask: bit 0 is c, bit 1 is b, the others are the outer
// features. One object per thread, used for one tile after another.
class TileMoments {
 public:
  void add(const SubsetTile& tile, TileColumns columns, std::size_t rows,
           const ProjectedLabel& label);

  // Of the b-th and c-th things of the tile: gram and products with the label of its subset.
  void assemble(std::size_t b, std::size_t c, OrthonormalProducts& out) const;
  // Without outer things: the mean of x_b to a power times x_c to a power, and that of x_b, x_c or
  // both (powers of 0 or 1) times the label's only column.
  [[nodiscard]] double moment(int b_power, std::size_t b, int c_power, std::size_t c) const {
    return moments_[at(b_power, b, c_power, c)];
  }
  [[nodiscard]] double with_label(int b_power, std::size_t b, int c_power, std::size_t c) const {
    return with_label_[label_at(b_power, b, c_power, c)];
  }
  // The products of the outer things by mask; that of none is null.
  [[nodiscard]] const double* const* outer() const { return outer_pointers_.data(); }

 private:
  // Left columns are 1, x_b …, x_b² …; right ones 1, x_c …, x_c² ….
  [[nodiscard]] std::size_t left() const { return 1 + 2 * height_; }
  [[nodiscard]] std::size_t right() const { return 1 + 2 * width_; }
  [[nodiscard]] std::size_t at(int b_power, std::size_t b, int c_power, std::size_t c) const {
    const std::size_t row = b_power == 0 ? 0 : 1 + (b_power == 2 ? height_ : 0) + b;
    const std::size_t column = c_power == 0 ? 0 : 1 + (c_power == 2 ? width_ : 0) + c;
    return row + column * left();
  }
  [[nodiscard]] std::size_t label_at(int b_power, std::size_t b, int c_power, std::size_t c) const {
    return (b_power == 0 ? 0 : 1 + b) + (c_power == 0 ? 0 : 1 + c) * (1 + height_);
  }
  [[nodiscard]] std::size_t moments_size() const { return left() * right(); }
  [[nodiscard]] std::size_t label_size() const { return (1 + height_) * (1 + width_); }

  void make_outer(const SubsetTile& tile, TileColumns columns, std::size_t rows);
  void weigh(std::size_t power, const SubsetTile& tile, TileColumns columns, std::size_t row,
             std::size_t rows);
  void fill_right(const SubsetTile& tile, TileColumns columns, std::size_t row, std::size_t rows);
  void fill_left(const SubsetTile& tile, TileColumns columns, std::size_t row, std::size_t rows,
                 bool squares);

  std::size_t height_ = 0, width_ = 0;  // b and c of the tile
  std::size_t label_columns_ = 0;
  std::vector<double> moments_;     // for every product of powers of the outer things
  std::vector<double> with_label_;  // for every column of the label and mask of the outer things
  std::vector<std::vector<double>> outer_;
  std::vector<const double*> outer_pointers_;
  std::vector<double> left_, right_, weights_;  // a block of rows
};

}  // namespace fsieve::methods
