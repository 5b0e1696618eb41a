// Pairs of columns of which one always has a certain value where the other has not a certain one
// (indicators that exclude or imply each other, counts that never occur together): their product is
// a combination of the two and a constant, so products with both are combinations of smaller ones.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "basis/parity.h"
#include "data/design.h"
#include "fsieve/source.h"

namespace fsieve::inline span {

class ExclusivePairs {
 public:
  // x y = constant + on_first x + on_second y, for standardised columns x and y.
  struct Product {
    double constant = 0;
    double on_first = 0;
    double on_second = 0;
  };

  // `source` must be in memory.
  ExclusivePairs(const Source& source, const Design& design) : source_(source), design_(design) {}

  // Does a parity hold such a pair?
  [[nodiscard]] bool any_in(const Parity& parity);

  // What is left of a parity of two columns and more is at most this, where `left` says it of
  // smaller parities; none where it holds no such pair.
  template <class Left>
  [[nodiscard]] std::optional<double> most_left(const Parity& parity, const Left& left);

 private:
  // Where a column has not its least value, and where it has not its largest.
  struct Bits {
    std::array<double, 2> value{};
    std::array<std::vector<std::uint64_t>, 2> other;
  };

  [[nodiscard]] const Bits& bits_of(std::uint32_t column);
  [[nodiscard]] const std::optional<Product>& product_of(std::uint32_t a, std::uint32_t b);

  const Source& source_;
  const Design& design_;
  std::map<std::uint32_t, Bits> bits_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::optional<Product>> products_;
};

template <class Left>
std::optional<double> ExclusivePairs::most_left(const Parity& parity, const Left& left) {
  const auto columns = parity.columns();
  const auto without = [&](std::size_t a, std::size_t b) {
    Parity smaller;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (k != a && k != b) smaller = smaller.times(columns[k]);
    }
    return left(smaller);
  };
  std::optional<double> least;
  for (std::size_t a = 0; a < columns.size(); ++a) {
    for (std::size_t b = a + 1; b < columns.size(); ++b) {
      const std::optional<Product>& product = product_of(columns[a], columns[b]);
      if (!product) continue;
      const double bound = std::abs(product->constant) * without(a, b) +
                           std::abs(product->on_first) * without(b, b) +
                           std::abs(product->on_second) * without(a, a);
      if (!least || bound < *least) least = bound;
    }
  }
  return least;
}

}  // namespace fsieve::span
