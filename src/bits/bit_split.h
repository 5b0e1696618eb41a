// Bits of rows as they come, put in the order of two classes (class_bits.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bits/class_bits.h"

namespace fsieve::inline bits {

class BitSplit {
 public:
  explicit BitSplit(const ClassSegments& order);

  // The next rows are of these classes, 0 or 1.
  void go_on(std::span<const std::uint8_t> codes);

  // Adds these rows of one column: bit i of `bits` is the i-th. Columns may be added side by side.
  void add(std::span<const std::uint64_t> bits, std::uint64_t* column) const;

 private:
  std::array<std::size_t, 2> next_;  // of each class, the bit of its next row
  // Of the rows that were told last, per word: those of the class, and where the first of them
  // goes.
  std::array<std::vector<std::uint64_t>, 2> masks_;
  std::array<std::vector<std::size_t>, 2> places_;
};

}  // namespace fsieve::bits
