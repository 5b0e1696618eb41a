#include "device/pieces.h"

#include <algorithm>

#include "bits/subset_tiles.h"

namespace fsieve::inline device {

std::uint64_t next_group(std::uint64_t number, std::size_t d, std::size_t k) {
  constexpr std::size_t group = 16;
  const std::uint64_t total = choose_exactly(d, k);
  if (number >= total || k < 3) return std::min(number, total);
  std::vector<std::size_t> subset = subset_of_number(number, k);
  const bool begins =
      subset[0] == 0 && subset[1] == 1 && (subset[2] % group == 0 || subset[2] == 2);
  if (begins) return number;
  subset[0] = 0;
  subset[1] = 1;
  subset[2] = (subset[2] / group + 1) * group;
  // Where no a is left below the next larger feature, that one moves on.
  for (std::size_t j = 2; j + 1 < k && subset[j] >= subset[j + 1]; ++j) {
    subset[j] = j;
    ++subset[j + 1];
  }
  return subset[k - 1] < d ? subset_number(subset) : total;
}

std::optional<NumberRange> Pieces::next() {
  if (!again_.empty()) {
    const NumberRange piece = again_.back();
    again_.pop_back();
    return piece;
  }
  if (rest_.size() == 0) return std::nullopt;
  const std::uint64_t wanted = rest_.first + std::min(size_, rest_.size());
  const std::uint64_t end = std::min(next_group(wanted, features_, k_), rest_.end);
  const NumberRange piece{rest_.first, end};
  rest_.first = end;
  return piece;
}

void Pieces::halve(NumberRange piece) {
  const std::uint64_t middle = piece.first + piece.size() / 2;
  const std::uint64_t group = next_group(middle, features_, k_);
  const std::uint64_t cut = group < piece.end ? group : middle;
  again_.push_back({cut, piece.end});
  again_.push_back({piece.first, cut});
}

void Pieces::took(NumberRange piece, double seconds) {
  constexpr double wanted = 0.2;
  const double factor = std::clamp(wanted / std::max(seconds, 1e-4), 0.25, 16.0);
  // Small pieces (halves, ends) say little about large ones.
  if (piece.size() < size_ / 2 && factor > 1) return;
  const double size = std::clamp(static_cast<double>(piece.size()) * factor, 1e5, 1e17);
  size_ = static_cast<std::uint64_t>(size);
}

}  // namespace fsieve::device
