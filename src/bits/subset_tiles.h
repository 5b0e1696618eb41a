// All subsets of d things, cut into tiles: a subset is {c < b < q1 < q2 < …}; a tile is some outer
// things q, a range of b and a range of c. Subsets are numbered in colexicographic order, so those
// that differ in c alone are neighbours.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "fsieve/progress.h"

namespace fsieve::inline bits {

// C(n, k) for small k, in floating point when it may be large.
[[nodiscard]] inline double choose(std::size_t n, std::size_t k) {
  if (k > n) return 0;
  double result = 1;
  for (std::size_t i = 0; i < k; ++i) {
    result = result * static_cast<double>(n - i) / static_cast<double>(i + 1);
  }
  return result;
}

[[nodiscard]] inline std::size_t choose_exactly(std::size_t n, std::size_t k) {
  if (k > n) return 0;
  std::size_t result = 1;
  for (std::size_t i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
  return result;
}

// The number of an ascending subset.
[[nodiscard]] inline std::size_t subset_number(std::span<const std::size_t> subset) {
  std::size_t number = 0;
  for (std::size_t k = 0; k < subset.size(); ++k) number += choose_exactly(subset[k], k + 1);
  return number;
}

// The ascending subset of a number.
[[nodiscard]] inline std::vector<std::size_t> subset_of_number(std::size_t number,
                                                               std::size_t size) {
  std::vector<std::size_t> subset(size);
  for (std::size_t k = size; k-- > 0;) {
    std::size_t low = k;  // C(low, k + 1) <= number < C(high, k + 1)
    std::size_t high = k + 1;
    while (choose_exactly(high, k + 1) <= number) high *= 2;
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      (choose_exactly(middle, k + 1) <= number ? low : high) = middle;
    }
    subset[k] = low;
    number -= choose_exactly(low, k + 1);
  }
  return subset;
}

// Of a subset of the outer things of many subsets: how many it has, and the numbers that it adds to
// those of none, one and two smaller things before it.
struct OuterNumbers {
  std::size_t size = 0;
  std::size_t after[3] = {};
};

// For every mask of the outer things, which are ascending.
[[nodiscard]] inline std::vector<OuterNumbers> number_outer(std::span<const std::size_t> outer) {
  std::vector<OuterNumbers> numbers(std::size_t{1} << outer.size());
  for (std::size_t mask = 0; mask < numbers.size(); ++mask) {
    OuterNumbers& of_mask = numbers[mask];
    for (std::size_t k = 0; k < outer.size(); ++k) {
      if ((mask >> k & 1U) == 0) continue;
      ++of_mask.size;
      for (std::size_t smaller = 0; smaller < 3; ++smaller) {
        of_mask.after[smaller] += choose_exactly(outer[k], of_mask.size + smaller);
      }
    }
  }
  return numbers;
}

// Tells a Progress from many threads, one at a time.
class SharedProgress {
 public:
  SharedProgress(Progress& progress, std::string_view what, double total) : progress_(progress) {
    progress_.begin(what, static_cast<std::uint64_t>(total));
  }
  void add(std::size_t done) {
    const std::lock_guard lock(mutex_);
    done_ += done;
    progress_.advance(done_);
  }
  void end() { progress_.end(); }

 private:
  Progress& progress_;
  std::mutex mutex_;
  std::uint64_t done_ = 0;
};

struct SubsetTile {
  std::span<const std::size_t> outer;  // ascending, all above b
  std::size_t b0, b1, c0, c1;          // c < b

  [[nodiscard]] std::size_t last_c(std::size_t b) const { return std::min(b, c1); }
  [[nodiscard]] std::size_t count() const {
    std::size_t total = 0;
    for (std::size_t b = b0; b < b1; ++b) total += last_c(b) > c0 ? last_c(b) - c0 : 0;
    return total;
  }
};

// The smallest b and c of a tile.
using TileCorner = std::pair<std::size_t, std::size_t>;

// Of all tiles of pairs c < b < end.
[[nodiscard]] inline std::vector<TileCorner> tile_corners(std::size_t end, std::size_t b_width,
                                                          std::size_t c_width) {
  std::vector<TileCorner> corners;
  for (std::size_t b = 1; b < end; b += b_width) {
    for (std::size_t c = 0; c + 1 < std::min(b + b_width, end); c += c_width) {
      corners.emplace_back(b, c);
    }
  }
  return corners;
}

// Calls body(tile) for all tiles of the subsets of `size` >= 2 of d things, in parallel.
template <class Body>
void for_each_tile(std::size_t d, int size, std::size_t b_width, std::size_t c_width,
                   SharedProgress& progress, const Body& body) {
  const auto outer_size = static_cast<std::size_t>(size - 2);
  in_parallel(choose_exactly(d, outer_size), [&](std::size_t number) {
    const std::vector<std::size_t> outer = subset_of_number(number, outer_size);
    const std::size_t end = outer.empty() ? d : outer.front();
    const std::vector<TileCorner> corners = tile_corners(end, b_width, c_width);
    const auto run = [&](std::size_t k) {
      const auto [b, c] = corners[k];
      const std::size_t b1 = std::min(b + b_width, end);
      const SubsetTile tile{outer, b, b1, c, std::min(c + c_width, b1 - 1)};
      body(tile);
      progress.add(tile.count());
    };
    if (corners.size() == 1) return run(0);
    in_parallel(corners.size(), run);
  });
}

// Calls body(prefix, first) in parallel for the subsets of `size` of d things whose smallest is
// below `special`: each is an ascending prefix of size − 1 things and one from `first` to d − 1.
template <class Body>
void for_each_prefix(std::size_t d, std::size_t special, std::size_t size, const Body& body,
                     std::vector<std::size_t> prefix = {}) {
  if (prefix.size() + 1 == size) {
    body(std::span<const std::size_t>(prefix), prefix.empty() ? 0 : prefix.back() + 1);
    return;
  }
  const std::size_t from = prefix.empty() ? 0 : prefix.back() + 1;
  const std::size_t to = prefix.empty() ? std::min(special, d) : d;
  if (from >= to) return;
  in_parallel(to - from, [&](std::size_t k) {
    std::vector<std::size_t> longer = prefix;
    longer.push_back(from + k);
    for_each_prefix(d, special, size, body, std::move(longer));
  });
}

}  // namespace fsieve::bits
