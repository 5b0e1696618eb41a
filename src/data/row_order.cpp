#include "data/row_order.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace fsieve::inline data {
namespace {

// A row and, above it, the place of its value between the least and the largest, coarsely.
class CoarsePlaces {
 public:
  CoarsePlaces(std::span<const double> values, unsigned place_bits)
      : row_bits_(static_cast<unsigned>(std::bit_width(values.size() - 1))), rows_(values.size()) {
    const auto [least, largest] = std::minmax_element(values.begin(), values.end());
    const double origin = *least;
    const auto last = static_cast<double>((std::uint32_t{1} << place_bits) - 1);
    double scale = last / (*largest - origin);
    // All in one place where the span is nothing, or more than a number can tell.
    if (!std::isfinite(scale) || !std::isfinite(*largest - origin)) scale = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto place = scale > 0 ? static_cast<std::uint32_t>((values[i] - origin) * scale) : 0;
      rows_[i] = std::uint64_t{place} << row_bits_ | i;
    }
  }

  // Sorts by so many bits of the places, stably.
  void sort_by(unsigned first_bit, unsigned bits) {
    thread_local std::vector<std::uint64_t> sorted;
    thread_local std::vector<std::size_t> next;
    const unsigned at = row_bits_ + first_bit;
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    next.assign(mask + 1, 0);
    for (const std::uint64_t row : rows_) ++next[row >> at & mask];
    std::size_t sum = 0;
    for (std::size_t& place : next) sum += std::exchange(place, sum);
    sorted.resize(rows_.size());
    for (const std::uint64_t row : rows_) sorted[next[row >> at & mask]++] = row;
    rows_.swap(sorted);
  }

  [[nodiscard]] std::size_t row(std::size_t k) const {
    return rows_[k] & ((std::uint64_t{1} << row_bits_) - 1);
  }
  [[nodiscard]] std::uint64_t place(std::size_t k) const { return rows_[k] >> row_bits_; }

 private:
  unsigned row_bits_;
  std::vector<std::uint64_t> rows_;
};

}  // namespace

// Rounding keeps the order, so places are in it; rows of one place are put into it by their values.
std::vector<std::size_t> rows_in_order(std::span<const double> values) {
  const std::size_t rows = values.size();
  std::vector<std::size_t> order(rows);
  if (rows == 0) return order;
  const unsigned half = std::clamp(static_cast<unsigned>(std::bit_width(rows)) - 1, 5U, 11U);
  CoarsePlaces places(values, 2 * half);
  places.sort_by(0, half);
  places.sort_by(half, half);
  for (std::size_t k = 0; k < rows; ++k) order[k] = places.row(k);
  const auto before = [&](std::size_t a, std::size_t b) {
    return values[a] != values[b] ? values[a] < values[b] : a < b;
  };
  for (std::size_t first = 0, last = 0; first < rows; first = last) {
    while (last < rows && places.place(last) == places.place(first)) ++last;
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(last);
    if (!std::is_sorted(begin, end, before)) std::sort(begin, end, before);
  }
  return order;
}

}  // namespace fsieve::data
