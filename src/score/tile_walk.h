// The tiles of all subsets one after another, from any of them on: for work that may be broken off.
#pragma once

#include <cstddef>
#include <vector>

#include "score/subset_tiles.h"

namespace fsieve {

// The number of the outer features, and of the tile among theirs.
struct TilePosition {
  std::size_t outer = 0;
  std::size_t corner = 0;
};

class TileWalk {
 public:
  // A tile that keeps its outer features.
  struct Tile {
    std::vector<std::size_t> outer;
    std::size_t b0, b1, c0, c1;

    [[nodiscard]] SubsetTile view() const { return {outer, b0, b1, c0, c1}; }
  };

  // Of the subsets of `size` >= 2 of d things.
  TileWalk(std::size_t d, int size, std::size_t b_width, std::size_t c_width, TilePosition from)
      : d_(d),
        outer_size_(static_cast<std::size_t>(size - 2)),
        b_width_(b_width),
        c_width_(c_width),
        next_(from) {}

  // The next tiles, of about `subsets` subsets together; none: all are done.
  [[nodiscard]] std::vector<Tile> next(std::size_t subsets) {
    std::vector<Tile> tiles;
    const std::size_t outers = choose_exactly(d_, outer_size_);
    for (std::size_t total = 0; total < subsets && next_.outer < outers;) {
      const std::vector<std::size_t> outer = subset_of_number(next_.outer, outer_size_);
      const std::size_t end = outer.empty() ? d_ : outer.front();
      const std::vector<TileCorner> corners = tile_corners(end, b_width_, c_width_);
      for (; next_.corner < corners.size() && total < subsets; ++next_.corner) {
        const auto [b, c] = corners[next_.corner];
        const std::size_t b1 = std::min(b + b_width_, end);
        tiles.push_back({outer, b, b1, c, std::min(c + c_width_, b1 - 1)});
        total += tiles.back().view().count();
      }
      if (next_.corner < corners.size()) break;
      next_ = {next_.outer + 1, 0};
    }
    return tiles;
  }

  // Where the tiles begin that were not handed out yet.
  [[nodiscard]] TilePosition position() const { return next_; }

 private:
  std::size_t d_;
  std::size_t outer_size_;
  std::size_t b_width_;
  std::size_t c_width_;
  TilePosition next_;
};

}  // namespace fsieve
