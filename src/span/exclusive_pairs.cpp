#include "span/exclusive_pairs.h"

#include <algorithm>

#include "source/whole_table.h"

namespace fsieve::inline span {

bool ExclusivePairs::any_in(const Parity& parity) {
  const auto columns = parity.columns();
  for (std::size_t a = 0; a < columns.size(); ++a) {
    for (std::size_t b = a + 1; b < columns.size(); ++b) {
      if (product_of(columns[a], columns[b])) return true;
    }
  }
  return false;
}

const ExclusivePairs::Bits& ExclusivePairs::bits_of(std::uint32_t column) {
  const auto [place, fresh] = bits_.try_emplace(column);
  Bits& bits = place->second;
  if (!fresh) return bits;
  std::vector<double> values(design_.rows);
  design_.standardised(whole_table(source_), 0, design_.rows, column, values.data());
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  bits.value = {*low, *high};
  for (std::size_t side = 0; side < 2; ++side) {
    bits.other[side].resize((values.size() + 63) / 64);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] != bits.value[side]) bits.other[side][i / 64] |= std::uint64_t{1} << (i % 64);
    }
  }
  return bits;
}

// Where (x − s)(y − t) is 0 in every row, x y = t x + s y − s t.
const std::optional<ExclusivePairs::Product>& ExclusivePairs::product_of(std::uint32_t a,
                                                                         std::uint32_t b) {
  const auto [place, fresh] = products_.try_emplace({a, b});
  if (!fresh) return place->second;
  const Bits& first = bits_of(a);
  const Bits& second = bits_of(b);
  for (std::size_t side = 0; side < 4; ++side) {
    const auto& x = first.other[side % 2];
    const auto& y = second.other[side / 2];
    bool together = false;
    for (std::size_t w = 0; w < x.size() && !together; ++w) together = (x[w] & y[w]) != 0;
    if (together) continue;
    const double s = first.value[side % 2];
    const double t = second.value[side / 2];
    // Of several the one that grows least.
    if (!place->second || std::abs(s) + std::abs(t) < std::abs(place->second->on_first) +
                                                          std::abs(place->second->on_second)) {
      place->second = Product{-s * t, t, s};
    }
  }
  return place->second;
}

}  // namespace fsieve::span
