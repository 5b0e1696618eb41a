// A range of subsets cut into pieces for devices: as long as they take about a fifth of a second,
// so that an interrupt is heeded, and cut where devices like it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bits/number_ranges.h"

namespace fsieve::inline device {

// Devices count the subsets {c < b < a < …} of sixteen neighbouring a at once. The first number
// from `number` on where such a group begins, of subsets of k of d things; C(d, k) where there is
// none.
[[nodiscard]] std::uint64_t next_group(std::uint64_t number, std::size_t d, std::size_t k);

class Pieces {
 public:
  Pieces(NumberRange range, std::size_t features, std::size_t k, std::uint64_t first_size)
      : rest_(range), features_(features), k_(k), size_(first_size) {}

  // The next piece; none: all were taken.
  [[nodiscard]] std::optional<NumberRange> next();

  // A piece in which too much was found: its halves come next.
  void halve(NumberRange piece);

  // A piece took so many seconds.
  void took(NumberRange piece, double seconds);

 private:
  NumberRange rest_;
  std::size_t features_;
  std::size_t k_;
  std::uint64_t size_;
  std::vector<NumberRange> again_;  // the next one last
};

}  // namespace fsieve::device
