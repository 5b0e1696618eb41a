// Counts of all subsets of two-valued features, per class: one AND + popcount sweep counts the rows
// that have all features of a subset set, and the counts of smaller subsets, made once, give the
// rest of its table (Möbius; see prefix_counts.h).
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "bits/class_bits.h"
#include "bits/prefix_counts.h"
#include "bits/subset_tiles.h"

namespace fsieve::inline bits {

class SignCounts {
 public:
  class CountedTile;

  // Column j of `bits` has the rows where feature j < features is set, in `order`; both must
  // outlive this. A table of the next smaller subsets that would take more than `table_bytes` is
  // made again tile by tile.
  SignCounts(const ClassSegments& order, const BitStore& bits, std::size_t features,
             double table_bytes);

  // The single features, as subsets of an empty prefix.
  [[nodiscard]] PrefixCounts singles() const;

  // Calls body with the counts of every tile of the subsets of `size` >= 2 features, in parallel.
  void for_each_tile(int size, SharedProgress& progress,
                     const std::function<void(CountedTile&)>& body);

  // The same step by step: the counts of all smaller subsets first, then tiles of this shape in
  // any order and from any thread.
  static constexpr std::size_t tile_height = 32;
  static constexpr std::size_t tile_width = 256;
  void prepare(int size) { make_tables(size); }
  void visit(const SubsetTile& tile, const std::function<void(CountedTile&)>& body);

 private:
  // Of all subsets of one size, in the order of their numbers.
  class CountTable {
   public:
    CountTable(std::size_t classes, std::size_t subsets)
        : plane_(subsets + vector_slack), counts_(classes * plane_) {}
    [[nodiscard]] std::uint32_t* of_class(std::size_t k) { return counts_.data() + k * plane_; }
    [[nodiscard]] const std::uint32_t* of_class(std::size_t k) const {
      return counts_.data() + k * plane_;
    }

   private:
    std::size_t plane_;
    std::vector<std::uint32_t> counts_;
  };

  struct Scratch {
    BitStore bits;
    std::vector<const std::uint64_t*> rows, columns, row_range;
    std::vector<std::size_t> limits;
    std::vector<BlockCounts> counts;  // per subset of the outer features; those that are made
    BlockCounts outer_c, outer_b;     // the outer features with c, with b
    std::vector<const std::uint32_t*> with;
    std::vector<std::uint32_t> without;
  };

  [[nodiscard]] std::size_t classes() const { return order_.classes(); }
  // Is the count of subsets of this size at hand?
  [[nodiscard]] bool known(std::size_t size) const { return size <= tables_.size(); }
  void make_tables(int size);
  void count_singles();
  void count(const SubsetTile& tile, Scratch& s, bool only_all) const;
  void store(const SubsetTile& tile, Scratch& s, CountTable& table) const;

  const ClassSegments& order_;
  const BitStore& bits_;
  std::size_t features_;
  double table_bytes_;
  std::vector<CountTable> tables_;  // of sizes 1, 2, …
  std::vector<const std::uint32_t*> singles_;
  tbb::enumerable_thread_specific<Scratch> scratch_;
};

// A tile of subsets {c < b < outer features}.
class SignCounts::CountedTile {
 public:
  CountedTile(const SignCounts& all, const SubsetTile& tile, Scratch& scratch)
      : all_(all), tile_(tile), scratch_(scratch), outer_(number_outer(tile.outer)) {}

  [[nodiscard]] const SubsetTile& subsets() const { return tile_; }

  // The counts of {b, outer} with the c from subsets().c0 to last_c(b); mask bit 0 is b. Valid
  // until the next call.
  [[nodiscard]] PrefixCounts with_prefix(std::size_t b);

 private:
  const SignCounts& all_;
  const SubsetTile& tile_;
  Scratch& scratch_;
  std::vector<OuterNumbers> outer_;
};

}  // namespace fsieve::bits
