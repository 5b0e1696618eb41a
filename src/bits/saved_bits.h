// Two-valued columns in the order of their classes as bytes, for machines that count them too.
#pragma once

#include <cstddef>
#include <iosfwd>

#include "bits/class_bits.h"

namespace fsieve::inline bits {

struct SavedBits {
  ClassSegments order;
  BitStore bits;
};

void save_bits(std::ostream& out, const ClassSegments& order, const BitStore& bits,
               std::size_t columns);
[[nodiscard]] SavedBits load_bits(std::istream& in, std::size_t columns);

}  // namespace fsieve::bits
