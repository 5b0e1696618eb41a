#include "methods/forward/rounded_columns.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace fsieve::inline methods {
namespace {

// Norm of a column of 16 bits: the product of two, and all sums on the way to it, fit 31 bits, with
// what rounding may add to each (half the root of the rows).
constexpr double most_norm = 45'000;
constexpr double most_fine = 32'767;
constexpr double most_coarse = 127;

// The nearest whole number: added to this it is in the lowest bits.
std::int32_t nearest_whole(double value) {
  constexpr double whole = 6755399441055744.0;  // 1.5 · 2⁵²
  return static_cast<std::int32_t>(
      static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(value + whole)));
}

// Writes number(row) for all rows, so many to a word, the first one in its lowest bits.
template <std::size_t per_word, class Number>
void pack(std::size_t rows, const RoundedTo& to, const Number& number) {
  constexpr std::size_t bits = 32 / per_word;
  constexpr std::uint32_t mask = (1U << bits) - 1;
  for (std::size_t w = 0; w * per_word < rows; ++w) {
    const std::size_t count = std::min(per_word, rows - w * per_word);
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < count; ++i) {
      word |= (static_cast<std::uint32_t>(number(w * per_word + i)) & mask) << (bits * i);
    }
    to.words[w * to.stride] = static_cast<std::int32_t>(word);
  }
}

// How far inner products are off for this column's sake: half a unit in each row of the other
// factor, which is the sum of this one's numbers, and its own share of what both do together.
// Rounded numbers sum to half a unit more in each row; a thousandth more, and some hundred units,
// for sums of 31 bits in single precision.
void say_how_far(const Sizes& sizes, std::size_t rows, double scale, const RoundedTo& to) {
  to.unit = static_cast<float>(1 / scale);
  to.off =
      static_cast<float>((sizes.sum * scale / 2 + static_cast<double>(rows) * 3 / 8) * 1.001 + 200);
}

}  // namespace

// In lanes that a compiler can put side by side.
Sizes sizes_of(std::size_t rows, const double* column) {
  constexpr std::size_t lanes = 8;
  double squares[lanes] = {};
  double sums[lanes] = {};
  double largest[lanes] = {};
  const auto add = [&](std::size_t lane, double value) {
    const double size = std::abs(value);
    squares[lane] += value * value;
    sums[lane] += size;
    largest[lane] = largest[lane] < size ? size : largest[lane];
  };
  std::size_t i = 0;
  for (; i + lanes <= rows; i += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) add(l, column[i + l]);
  }
  for (; i < rows; ++i) add(0, column[i]);
  Sizes sizes;
  for (std::size_t l = 0; l < lanes; ++l) {
    sizes.squares += squares[l];
    sizes.sum += sums[l];
    sizes.largest = std::max(sizes.largest, largest[l]);
  }
  return sizes;
}

void round_finely(const std::vector<double>& column, const Sizes& sizes, const RoundedTo& to) {
  if (!(sizes.squares > 0)) {
    pack<fine_rows>(column.size(), to, [](std::size_t) { return 0; });
    to.unit = to.off = 0;
    return;
  }
  const double scale = std::min(most_norm / std::sqrt(sizes.squares), most_fine / sizes.largest);
  pack<fine_rows>(column.size(), to,
                  [&](std::size_t row) { return nearest_whole(column[row] * scale); });
  say_how_far(sizes, column.size(), scale, to);
}

std::int32_t round_coarsely(const std::vector<double>& column, const Sizes& sizes,
                            std::int32_t more, const RoundedTo& to) {
  const bool any = sizes.squares > 0;
  const double scale = any ? most_coarse / sizes.largest : 0;
  std::int32_t sum = 0;
  pack<coarse_rows>(column.size(), to, [&](std::size_t row) {
    const std::int32_t number = nearest_whole(column[row] * scale);
    sum += number;
    return number + more;
  });
  if (any) {
    say_how_far(sizes, column.size(), scale, to);
  } else {
    to.unit = to.off = 0;
  }
  return sum;
}

void round_down(const std::vector<double>& column, const Sizes& sizes, double most,
                const RoundedTo& to) {
  const double scale = sizes.largest > 0 ? most / sizes.largest : 0;
  pack<coarse_rows>(column.size(), to, [&](std::size_t row) {
    return static_cast<std::int32_t>(std::min(column[row] * scale, most));
  });
  // A little less, for rounding of the unit itself.
  to.unit = scale > 0 ? static_cast<float>(1 / scale * (1 - 1e-6)) : 0;
  to.off = 0;
}

}  // namespace fsieve::methods
