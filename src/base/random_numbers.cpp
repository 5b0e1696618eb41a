#include "base/random_numbers.h"

#include <cmath>
#include <numbers>

namespace fsieve::inline base {
namespace {

// The middle of one of 2^52 equal parts of (0, 1): never 0, so its logarithm is finite.
double unit(std::uint64_t bits) { return (static_cast<double>(bits >> 12U) + 0.5) * 0x1p-52; }

}  // namespace

std::array<std::uint64_t, 2> RandomNumbers::bits(std::uint64_t row, std::uint32_t position) const {
  const Philox128 word = philox(
      {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(row >> 32U), position, purpose_},
      key_);
  return {std::uint64_t{word[0]} << 32U | word[1], std::uint64_t{word[2]} << 32U | word[3]};
}

std::array<double, 2> RandomNumbers::uniform(std::uint64_t row, std::uint32_t position) const {
  const auto [a, b] = bits(row, position);
  return {unit(a), unit(b)};
}

std::array<double, 2> RandomNumbers::normal(std::uint64_t row, std::uint32_t position) const {
  const auto [a, b] = uniform(row, position);
  const double radius = std::sqrt(-2 * std::log(a));
  const double angle = 2 * std::numbers::pi * b;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

std::uint64_t RandomChoices::next() {
  const auto pair = numbers_.bits(drawn_ / 2, 0);
  return pair[drawn_++ % 2];
}

double RandomChoices::uniform() { return unit(next()); }

std::size_t RandomChoices::below(std::size_t limit) {
  // Numbers of the last, incomplete run of `limit` are drawn again, so that none is favoured.
  const std::uint64_t complete = UINT64_MAX - UINT64_MAX % limit;
  for (;;) {
    const std::uint64_t bits = next();
    if (bits < complete) return bits % limit;
  }
}

}  // namespace fsieve::base
