#include "bits/saved_bits.h"

#include <cstdint>
#include <span>
#include <utility>

#include "base/binary_lists.h"

namespace fsieve::inline bits {

void save_bits(std::ostream& out, const ClassSegments& order, const BitStore& bits,
               std::size_t columns) {
  save_values(out, order.rows);
  for (std::size_t j = 0; j < columns; ++j) {
    save_values(out, std::span(bits.column(j), order.words));
  }
}

SavedBits load_bits(std::istream& in, std::size_t columns) {
  std::vector<std::uint32_t> rows;
  load_list(in, rows);
  const ClassSegments order(std::move(rows));
  SavedBits saved{order, BitStore(columns, order.words)};
  for (std::size_t j = 0; j < columns; ++j) {
    std::span<std::uint64_t> column(saved.bits.column(j), order.words);
    load_values(in, column);
  }
  return saved;
}

}  // namespace fsieve::bits
