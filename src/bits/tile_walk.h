// The tiles of a range of subsets one after another: for work that may be broken off, or shared.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bits/number_ranges.h"
#include "bits/subset_tiles.h"

namespace fsieve::inline bits {

class TileWalk {
 public:
  // A tile that keeps its outer features.
  struct Tile {
    std::vector<std::size_t> outer;
    std::size_t b0, b1, c0, c1;

    [[nodiscard]] SubsetTile view() const { return {outer, b0, b1, c0, c1}; }
  };

  // Of the subsets of `size` >= 2 of d things with numbers in `range`.
  TileWalk(std::size_t d, int size, std::size_t b_width, std::size_t c_width, NumberRange range)
      : d_(d), b_width_(b_width), c_width_(c_width), next_(range.first), end_(range.end) {
    if (next_ == end_) return;
    const std::vector<std::size_t> first =
        subset_of_number(range.first, static_cast<std::size_t>(size));
    c_ = first[0];
    b_ = first[1];
    outer_.assign(first.begin() + 2, first.end());
  }

  // The next tiles, of about `subsets` subsets together; none: all are done.
  [[nodiscard]] std::vector<Tile> next(std::size_t subsets) {
    std::vector<Tile> tiles;
    const std::uint64_t start = next_;
    while (next_ < end_ && next_ - start < subsets) {
      if (c_ > 0 || end_ - next_ < b_) {
        take_part_of_row(tiles);
      } else {
        take_rows(tiles);
      }
      if (b_ == above()) next_outer();
    }
    return tiles;
  }

  // The number of the first subset that was not handed out yet.
  [[nodiscard]] std::uint64_t position() const { return next_; }

 private:
  // The pairs c < b are below this.
  [[nodiscard]] std::size_t above() const { return outer_.empty() ? d_ : outer_.front(); }

  void take_part_of_row(std::vector<Tile>& tiles) {
    const std::size_t c1 =
        c_ + static_cast<std::size_t>(std::min<std::uint64_t>(b_ - c_, end_ - next_));
    add(tiles, b_ + 1, c_, c1);
    next_ += c1 - c_;
    c_ = c1 == b_ ? 0 : c1;
    if (c_ == 0) ++b_;
  }

  void take_rows(std::vector<Tile>& tiles) {
    std::size_t b1 = b_;
    for (; b1 < above() && b1 - b_ < b_width_ && b1 <= end_ - next_; ++b1) next_ += b1;
    add(tiles, b1, 0, b1 - 1);
    b_ = b1;
  }

  void add(std::vector<Tile>& tiles, std::size_t b1, std::size_t c0, std::size_t c1) const {
    for (std::size_t c = c0; c < c1; c += c_width_) {
      tiles.push_back({outer_, b_, b1, c, std::min(c + c_width_, c1)});
    }
  }

  // The next outer things that have two others below them.
  void next_outer() {
    b_ = 1;
    for (std::size_t k = 0; k < outer_.size(); ++k) {
      const std::size_t limit = k + 1 < outer_.size() ? outer_[k + 1] : d_;
      if (++outer_[k] < limit) return;
      outer_[k] = k + 2;
    }
  }

  std::size_t d_;
  std::size_t b_width_;
  std::size_t c_width_;
  std::uint64_t next_;
  std::uint64_t end_;
  std::vector<std::size_t> outer_;  // of the next subset
  std::size_t b_ = 1;
  std::size_t c_ = 0;
};

}  // namespace fsieve::bits
