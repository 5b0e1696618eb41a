// By how much the second of two classes leads where all features of a subset are set, for all
// subsets of three and more features: all that many scores need. A row is counted for several
// features at once, as rows are put in the order of which of these they have set; and rows without
// any of them are not counted (docs/decisions.md, bits).
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "bits/class_bits.h"
#include "bits/lead_kernel.h"
#include "bits/prefix_counts.h"
#include "bits/subset_bundles.h"

namespace fsieve::inline bits {

class LeadCounts {
 public:
  // Column j of `bits` has the rows where feature j < features is set, in `order`, of two classes.
  // Both must outlive this.
  LeadCounts(const ClassSegments& order, const BitStore& bits, std::size_t features);

  // Do the tables of all subsets smaller than `size`, and what else it takes, stay below so many
  // bytes?
  [[nodiscard]] static bool fits(const ClassSegments& order, std::size_t features, std::size_t size,
                                 double bytes);

  // The leads of all subsets smaller than `size`, which is 3 at least. visit() needs them.
  void prepare(std::size_t size);

  // How many neighbouring q make a bundle.
  [[nodiscard]] std::size_t width() const { return width_; }

  // Calls body with the leads of {b, q, further…} with all c < b, for all b and q of the bundle.
  // The features are those of the prefix behind a place for c. From any thread.
  using Body = std::function<void(const PrefixLeads&, std::span<std::size_t> features)>;
  void visit(const SubsetBundle& bundle, const Body& body);

  // Calls found(subset) for those of the bundle whose leads add up to least() or more
  // (promising.h), which may rise. From any thread.
  using Least = std::function<std::int32_t()>;
  using Found = std::function<void(std::span<const std::size_t> subset)>;
  void name_promising(const SubsetBundle& bundle, const Least& least, const Found& found);

 private:
  // The rows in the order of which of `width` features they have.
  struct SortedRows {
    BitStore blocks;  // of eight columns each
    std::vector<std::uint64_t> labels;
    std::vector<std::uint32_t> first;  // of every cell, and the end

    [[nodiscard]] std::uint64_t word(std::size_t w, std::size_t column) const {
      return blocks.column(column / record_words)[w * record_words + column % record_words];
    }
  };

  struct Scratch {
    std::vector<std::uint8_t> cell_of_row;
    std::vector<std::uint32_t> row_numbers;
    std::vector<std::uint64_t> masks;
    SortedRows rows;
    std::vector<std::int32_t> with_b, leads;
  };

  // Rows of each class, with room for whole words.
  [[nodiscard]] std::size_t room_for_class(std::size_t k) const {
    return (std::size_t{order_.rows[k]} + 63) / 64 * 64;
  }
  [[nodiscard]] std::size_t record_count() const { return room_for_class(0) + room_for_class(1); }
  [[nodiscard]] std::size_t record_size() const { return lines_ * record_words; }
  // Words of a block of columns: every cell may begin one.
  [[nodiscard]] std::size_t block_distance() const;
  [[nodiscard]] ColumnBlocks make_room(SortedRows& rows) const;
  void record_rows();
  void count_pairs();
  // Of the first columns.
  void sort_rows(std::size_t first_feature, std::size_t columns, Scratch& s, SortedRows& to) const;
  void take_rows_with(std::span<const std::size_t> further, std::size_t columns,
                      const SortedRows& from, Scratch& s) const;
  // How many rows of the second class have a feature of the sorted ones.
  [[nodiscard]] static std::int32_t second_class(const SortedRows& rows, std::size_t feature);
  void put_in_order(const SubsetBundle& bundle, Scratch& s) const;
  // Calls visit with the leads of each q of the bundle and a few neighbouring b.
  template <class Visit>
  void visit_blocks(const SubsetBundle& bundle, const Visit& visit);

  const ClassSegments& order_;
  const BitStore& bits_;
  std::size_t features_;
  std::size_t lines_;  // of 512 columns
  std::size_t width_;
  std::vector<std::uint64_t> records_;  // the first class first; of rows there is room for
  std::vector<std::vector<std::int32_t>> tables_;  // leads of subsets of 0, 1, … features
  std::vector<SortedRows> sorted_;  // per bundle's q, where these come again and again
  tbb::enumerable_thread_specific<Scratch> scratch_;
};

}  // namespace fsieve::bits
