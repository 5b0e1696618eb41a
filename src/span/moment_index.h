// Inner products of parities from moments: a product of two parities of up to t columns is a
// product of up to 2t columns, which is that of many other pairs too. Formed once each, thirty
// columns at depth 3 need a fifth of the multiply-adds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "basis/parity.h"

namespace fsieve::inline span {

// Numbers the products of up to 2t columns, any of them repeated, in which there is a new one:
// those of pairs of a new parity with an old or a new one. A product is 2t symbols in falling
// order: k for the k-th column in order of arrival, and 0 for none. Its number is a sum over their
// places, so that products that differ in the last places only stand side by side.
class MomentIndex {
 public:
  // In falling order, 0 behind the last.
  struct Symbols {
    std::array<std::uint32_t, max_depth> at{};
    std::size_t size = 0;
  };

  // Columns are new where no old parity has them. Every new parity must have one.
  MomentIndex(const std::vector<Parity>& old_parities, const std::vector<Parity>& new_parities);

  // None where forming all moments is no less work than the inner products of so many pairs.
  [[nodiscard]] static std::optional<MomentIndex> where_it_pays(
      const std::vector<Parity>& old_parities, const std::vector<Parity>& new_parities,
      double pairs);

  [[nodiscard]] std::size_t count() const { return count_; }

  [[nodiscard]] const std::vector<std::size_t>& columns() const { return columns_; }
  [[nodiscard]] std::size_t old_columns() const { return old_columns_; }
  [[nodiscard]] std::size_t depth() const { return depth_; }
  // What a symbol adds at a place of all 2t; place t + k is place k of the second half alone.
  [[nodiscard]] std::size_t weight(std::size_t place, std::size_t symbol) const {
    return weights_[place * (columns_.size() + 1) + symbol];
  }
  // The sum of weights of the first that is counted.
  [[nodiscard]] std::size_t first() const { return first_; }

  [[nodiscard]] Symbols symbols_of(const Parity& parity) const;

 private:
  std::vector<std::size_t> columns_;  // design columns, in order of arrival
  std::vector<std::uint32_t> symbols_;
  std::size_t old_columns_ = 0;
  std::size_t depth_ = 0;
  std::size_t count_ = 0;
  std::size_t first_ = 0;
  std::vector<std::size_t> weights_;
};

// Finds the moments of one parity with others. Fastest where others that follow each other differ
// in their first column alone, as in standard order.
class MomentRow {
 public:
  MomentRow(const MomentIndex& index, const Parity& parity);

  [[nodiscard]] std::size_t number(const MomentIndex::Symbols& other);

 private:
  void merge();

  const MomentIndex& index_;
  MomentIndex::Symbols own_;
  std::vector<std::uint8_t> before_;  // of each symbol: how many of this parity's are larger
  // Of the last parity asked for: its symbols but the smallest, and the sum of weights of all but
  // that, with so many of them before it.
  MomentIndex::Symbols prefix_;
  std::array<std::size_t, std::size_t{2} * max_depth> sums_{};
};

}  // namespace fsieve::span
