// All subsets of three and more things in bundles: a subset is {c < b < q < further things}, and a
// bundle has all b and c of a few neighbouring q. Bundles come in the order of their subsets'
// numbers (subset_tiles.h), which follow on each other within one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bits/number_ranges.h"
#include "bits/subset_tiles.h"

namespace fsieve::inline bits {

struct SubsetBundle {
  std::vector<std::size_t> further;  // ascending, all above q
  std::size_t q0, q1;                // q0 ≤ q < q1; b < q
  NumberRange numbers;
};

class BundleWalk {
 public:
  // Of the subsets of `size` >= 3 of d things whose bundles lie in `range`; bundles begin at
  // multiples of `width`.
  BundleWalk(std::size_t d, std::size_t size, std::size_t width, NumberRange range)
      : d_(d), width_(width), range_(range), begin_(range.end), next_(range.end) {
    if (range.size() == 0) {
      end();
      return;
    }
    const std::vector<std::size_t> first = subset_of_number(range.first, size);
    q_ = std::max<std::size_t>(first[2] / width * width, 2);
    further_.assign(first.begin() + 3, first.end());
    look();
    while (!ended_ && number_ < range_.first) advance();
    if (!ended_ && end_number() > range_.end) end();
    if (!ended_) begin_ = next_ = number_;
  }

  // The numbers before the first bundle, which belong to one that lies in `range` in part.
  [[nodiscard]] NumberRange before() const { return {range_.first, begin_}; }
  // The number of the first subset that was not handed out yet.
  [[nodiscard]] std::uint64_t position() const { return next_; }

  // The next bundles, of about `subsets` subsets together; none: all that lie in the range are
  // done.
  [[nodiscard]] std::vector<SubsetBundle> next(std::size_t subsets) {
    std::vector<SubsetBundle> bundles;
    const std::uint64_t start = next_;
    while (!ended_ && next_ - start < subsets) {
      bundles.push_back({further_, q_, q_end_, {number_, end_number()}});
      next_ = end_number();
      advance();
      if (!ended_ && end_number() > range_.end) end();
    }
    return bundles;
  }

 private:
  [[nodiscard]] std::size_t above() const { return further_.empty() ? d_ : further_.front(); }
  [[nodiscard]] std::uint64_t first_number(std::size_t q) const {
    std::uint64_t number = choose_exactly(q, 3);
    for (std::size_t k = 0; k < further_.size(); ++k) number += choose_exactly(further_[k], k + 4);
    return number;
  }
  [[nodiscard]] std::uint64_t end_number() const { return first_number(q_end_); }

  void look() {
    q_end_ = std::min((q_ / width_ + 1) * width_, above());
    number_ = first_number(q_);
  }
  void advance() {
    q_ = q_end_;
    if (q_ == above()) next_further();
    if (!ended_) look();
  }
  // The next further things that have three others below them.
  void next_further() {
    q_ = 2;
    for (std::size_t k = 0; k < further_.size(); ++k) {
      const std::size_t limit = k + 1 < further_.size() ? further_[k + 1] : d_;
      if (++further_[k] < limit) return;
      further_[k] = k + 3;
    }
    end();
  }
  void end() { ended_ = true; }

  std::size_t d_;
  std::size_t width_;
  NumberRange range_;
  std::vector<std::size_t> further_;
  std::size_t q_ = 2;
  std::size_t q_end_ = 3;
  std::uint64_t number_ = 0;
  std::uint64_t begin_;
  std::uint64_t next_;
  bool ended_ = false;
};

}  // namespace fsieve::bits
