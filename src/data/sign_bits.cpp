#include "data/sign_bits.h"

#include <algorithm>
#include <cmath>

namespace fsieve::inline data {

void pack_signs(const Design& design, const Block& block, std::size_t column, std::uint64_t* bits) {
  const DesignColumn& described = design.columns[column];
  const double* values = block.column(described.feature).data();
  // An indicator is −1 off its level, a two-valued number at its smaller value.
  const bool indicator = described.level.has_value();
  const double mark = indicator ? static_cast<double>(*described.level) : described.low;
  for (std::size_t row = 0; row < block.rows; row += 64) {
    const std::size_t count = std::min<std::size_t>(64, block.rows - row);
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < count; ++i) {
      word |= static_cast<std::uint64_t>((values[row + i] == mark) != indicator) << i;
    }
    bits[row / 64] = word;
  }
}

double sign_deviation(std::int64_t minus, std::size_t rows) {
  const auto n = static_cast<double>(rows);
  const auto low = static_cast<double>(minus);
  return 2 * std::sqrt(low * (n - low)) / n;
}

}  // namespace fsieve::data
