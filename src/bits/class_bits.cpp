#include "bits/class_bits.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "bits/and_count.h"

namespace fsieve::inline bits {

namespace {

std::vector<std::uint32_t> rows_per_class(const std::vector<std::size_t>& codes,
                                          std::size_t classes) {
  std::vector<std::uint32_t> rows(classes);
  for (const std::size_t code : codes) ++rows[code];
  return rows;
}

}  // namespace

ClassSegments::ClassSegments(std::vector<std::uint32_t> rows_per_class)
    : rows(std::move(rows_per_class)) {
  for (const std::uint32_t count : rows) {
    const std::size_t needed = std::max<std::size_t>((std::size_t{count} + 63) / 64, 1);
    const std::size_t unit = std::min<std::size_t>(std::bit_ceil(needed), 8);
    const std::size_t first = (words + unit - 1) / unit * unit;
    segments.push_back({first, needed > 8 ? (needed + 7) / 8 * 8 : needed});
    words = first + segments.back().words;
  }
  words = (words + 7) / 8 * 8;
}

ClassOrder::ClassOrder(const std::vector<std::size_t>& codes, std::size_t classes)
    : ClassSegments(rows_per_class(codes, classes)), place(codes.size()) {
  std::vector<std::size_t> next(classes);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    place[i] = segments[codes[i]].first * 64 + next[codes[i]]++;
  }
}

BitStore::BitStore(std::size_t columns, std::size_t words)
    : columns_(columns), words_(words), storage_(columns * words + vector_slack + 8) {
  const auto address = reinterpret_cast<std::uintptr_t>(storage_.data()) / sizeof(std::uint64_t);
  start_ = (8 - address % 8) % 8;
}

void BlockCounts::resize(std::size_t classes, std::size_t rows, std::size_t columns) {
  stride_ = columns;
  plane_ = rows * columns + vector_slack;
  counts_.assign(classes * plane_, 0);
}

void BlockCounts::add(const ClassSegments& order, const std::vector<const std::uint64_t*>& rows,
                      const std::size_t* limits, const std::vector<const std::uint64_t*>& columns) {
  constexpr std::size_t chunk = 256;  // words of a column that are counted at a time
  for (std::size_t k = 0; k < order.classes(); ++k) {
    const auto& [first, words] = order.segments[k];
    const CountBlock block{rows.data(),    rows.size(), limits, columns.data(),
                           columns.size(), row(k, 0),   stride_};
    for (std::size_t w = 0; w < words; w += chunk) {
      add_and_counts(block, first + w, std::min(chunk, words - w));
    }
  }
}

}  // namespace fsieve::bits
