// Two-valued columns of a table whose rows can be read here, packed into bits in one pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bits/class_bits.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve::inline bits {

// What sets the bit of a row in a block's column.
struct SignTest {
  std::uint64_t position = 0;
  double mark = 0;
  bool above = false;  // or equal to the mark

  [[nodiscard]] bool operator()(double value) const { return above ? value > mark : value == mark; }
};

// columns[j], whose bits were all clear, gets the rows that pass tests[j], in `order`. `codes`: the
// class of every row, 0 or 1.
void pack_columns(const Source& source, std::span<const SignTest> tests,
                  std::span<const std::uint8_t> codes, const ClassSegments& order,
                  std::span<std::uint64_t* const> columns, Progress& progress);

}  // namespace fsieve::bits
