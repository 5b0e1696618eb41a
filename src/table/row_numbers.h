// Whether the numbers of a column count its rows: whole, all different, and with few gaps.
#pragma once

#include <cmath>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <span>

#include "table/distinct_count.h"

namespace fsieve::io::inline table {

// Sees the numbers in any order. Most columns are found out within their first rows, and cost
// nothing from then on.
class RowNumbers {
 public:
  [[nodiscard]] bool possible() const { return possible_; }

  void add(double value) {
    if (!possible_) return;
    if (value != std::floor(value) || std::abs(value) > kMostExact) {
      give_up();
      return;
    }
    ++count_;
    least_ = std::min(least_, value);
    most_ = std::max(most_, value);
    distinct_.add(hash_of(value));
    if (count_ % kLook == 0 && too_many()) give_up();
  }

  void merge(const RowNumbers& other);
  void save(std::ostream& out) const;
  void load(std::istream& in);

  [[nodiscard]] bool count_rows() const;

  // Of all numbers of a column, or of its first kLook: are there so few values that these cannot
  // count the rows? A quick answer that spares the rest.
  static constexpr std::size_t kLook = 1024;
  [[nodiscard]] static bool too_few_values(std::span<const double> numbers);

 private:
  static constexpr double kMostExact = 9007199254740992;  // 2^53

  // Many more rows than numbers to give them.
  [[nodiscard]] bool too_many() const {
    return 2 * (most_ - least_ + 1) < static_cast<double>(count_);
  }

  void give_up() {
    possible_ = false;
    distinct_ = {};
  }

  bool possible_ = true;
  std::uint64_t count_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
  double most_ = -std::numeric_limits<double>::infinity();
  DistinctCount distinct_;
};

}  // namespace fsieve::io::table
