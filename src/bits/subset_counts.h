// The counts of one subset of two-valued features, made on their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bits/class_bits.h"
#include "bits/prefix_counts.h"

namespace fsieve::inline bits {

class SubsetCounts {
 public:
  // `subset`: ascending columns of `bits`, 1 to 6 of them.
  SubsetCounts(const ClassSegments& order, const BitStore& bits,
               std::span<const std::size_t> subset);

  // The first of the subset is c, the others are the prefix; valid as long as this is.
  [[nodiscard]] PrefixCounts view() const {
    return {bits_, classes_, places_.data(), without_.data(), 1};
  }

 private:
  int bits_;
  std::size_t classes_;
  std::vector<std::uint32_t> with_, without_;
  std::vector<const std::uint32_t*> places_;
};

}  // namespace fsieve::bits
