// Which subsets are done, by their numbers (subset_tiles.h): ranges that several searchers may fill
// in any order.
#pragma once

#include <cstdint>
#include <vector>

namespace fsieve::inline bits {

// first, …, end − 1
struct NumberRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;

  [[nodiscard]] std::uint64_t size() const { return end - first; }
  bool operator==(const NumberRange&) const = default;
};

class NumberRanges {
 public:
  // `range` is not empty and may overlap what is there.
  void add(NumberRange range);

  // Ascending, with gaps between them.
  [[nodiscard]] const std::vector<NumberRange>& list() const { return ranges_; }
  [[nodiscard]] bool contains(std::uint64_t number) const;
  [[nodiscard]] std::uint64_t size() const;
  // What of 0, …, total − 1 is not there.
  [[nodiscard]] std::vector<NumberRange> gaps(std::uint64_t total) const;

 private:
  std::vector<NumberRange> ranges_;
};

}  // namespace fsieve::bits
