// Inner products of parities of two-valued columns from bit counts: a product of ±1 columns is the
// exclusive-or of their bits, so its mean is a popcount, and all products of two parities of up to
// t columns are among the products of up to 2t columns. Exact in whole numbers; no floating-point
// pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <vector>

#include "base/buffer.h"
#include "basis/parity.h"
#include "bits/count_pairs.h"
#include "data/design.h"
#include "fsieve/source.h"
#include "stats/asked.h"

namespace fsieve::inline span {

// Subsets of {0, …, columns − 1} of at most `size` members, numbered: by size, then as
// combinations in colexicographic order, so that the subsets of {0, …, j − 1} come first.
class SubsetIndex {
 public:
  SubsetIndex(std::size_t columns, std::size_t size);

  [[nodiscard]] std::size_t count() const { return offset_.back(); }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t offset(std::size_t size) const { return offset_[size]; }
  // C(n, k)
  [[nodiscard]] std::size_t choose(std::size_t n, std::size_t k) const {
    return choose_[n * (size_ + 1) + k];
  }
  // The number of the subset given as a bit mask.
  [[nodiscard]] std::size_t operator()(std::uint64_t mask) const {
    std::size_t rank = 0;
    std::size_t place = 0;
    for (; mask != 0; mask &= mask - 1) {
      rank += choose(static_cast<std::size_t>(__builtin_ctzll(mask)), ++place);
    }
    return offset_[place] + rank;
  }

 private:
  std::size_t columns_;
  std::size_t size_;
  std::vector<std::size_t> choose_;
  std::vector<std::size_t> offset_;  // of each size; the last is the count of all
};

// Can the inner products of these parities with each other and with the single columns be counted?
[[nodiscard]] bool can_count(const Design& design, const std::vector<Parity>& parities,
                             const std::vector<std::size_t>& singles);

// Accumulates, over rows, how often products are −1: of every subset of up to twice the parities'
// depth of the columns they use, and of every single column with every subset of up to their depth.
class SignMoments {
 public:
  SignMoments(const Design& design, const std::vector<Parity>& parities,
              const std::vector<std::size_t>& singles);

  void add(const Block& block);
  void merge(const SignMoments& other);
  void save(std::ostream& out) const;
  void load(std::istream& in);
  [[nodiscard]] std::size_t bytes() const {
    return (within_.size() + across_.size()) * sizeof(std::int64_t);
  }

  // For parts of a table that are asked for it.
  static constexpr const char* question = "sign moments";
  void save_question(std::ostream& out) const;
  static SignMoments from_question(std::istream& in, const Schema& schema, Keep& keep);

  // Products::inner from the counts of all rows; the parities must be among
  // those given to the constructor.
  [[nodiscard]] Buffer inner_products(const std::vector<Parity>& old_parities,
                                      const std::vector<Parity>& new_parities) const;

 private:
  void count_within(const BitColumns& subset_bits, std::size_t words);
  void count_across(const BitColumns& subset_bits, const BitColumns& single_bits,
                    std::size_t words);
  [[nodiscard]] std::uint64_t mask_of(const Parity& parity) const;
  [[nodiscard]] std::vector<double> standardised_within() const;
  [[nodiscard]] std::vector<double> means_of_columns() const;
  [[nodiscard]] std::vector<double> deviations_of_columns() const;

  const Design* design_;
  std::vector<std::size_t> columns_;  // the universe: design columns of the parities
  std::vector<std::size_t> places_;   // of each design column in the universe
  std::vector<std::size_t> singles_;
  std::size_t depth_ = 0;
  SubsetIndex half_;                      // subsets of up to depth columns
  SubsetIndex full_;                      // of up to twice as many
  std::vector<std::uint64_t> half_mask_;  // of each subset of half_
  std::vector<std::int64_t> within_;      // per subset of full_
  std::vector<std::int64_t> across_;      // per single, per subset of half_
};

}  // namespace fsieve::span
