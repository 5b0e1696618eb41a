// The bound that spares most subsets their exact score, and the counts it is made of, beside plain
// loops over rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <vector>

#include "bits/and_count.h"
#include "bits/promising.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::Random;

constexpr std::size_t slack = 16;

void check_bound(int bits, std::size_t classes, std::size_t last, std::size_t rows) {
  Random random(static_cast<std::uint64_t>(bits) * 100 + classes + last);
  const std::size_t subsets = std::size_t{1} << bits;
  std::vector<std::size_t> prefix(rows);  // a mask per row
  std::vector<std::size_t> code(rows);
  std::vector<std::vector<bool>> set(last, std::vector<bool>(rows));
  for (std::size_t i = 0; i < rows; ++i) {
    prefix[i] = random.below(subsets);
    code[i] = random.below(classes);
    for (std::size_t c = 0; c < last; ++c) set[c][i] = random.uniform() < 0.4;
  }
  std::vector<std::vector<std::uint32_t>> with(classes * subsets,
                                               std::vector<std::uint32_t>(last + slack));
  std::vector<std::uint32_t> without(classes * subsets);
  std::vector<const std::uint32_t*> pointers;
  for (std::size_t s = 0; s < subsets; ++s) {
    for (std::size_t i = 0; i < rows; ++i) {
      if ((prefix[i] & s) != s) continue;
      ++without[code[i] * subsets + s];
      for (std::size_t c = 0; c < last; ++c) {
        if (set[c][i]) ++with[code[i] * subsets + s][c];
      }
    }
  }
  pointers.reserve(with.size());
  for (const auto& counts : with) pointers.push_back(counts.data());
  std::vector<int> bound(last);
  for (std::size_t c = 0; c < last; ++c) {
    std::vector<std::vector<int>> cells(2 * subsets, std::vector<int>(classes));
    for (std::size_t i = 0; i < rows; ++i) {
      ++cells[prefix[i] + (set[c][i] ? subsets : 0)][code[i]];
    }
    for (const auto& cell : cells) {
      bound[c] += classes == 2 ? std::max(std::abs(cell[1] - cell[0]), 1)
                               : *std::max_element(cell.begin(), cell.end());
    }
  }
  const PrefixCounts counts{bits, classes, pointers.data(), without.data(), last};
  const int low = *std::min_element(bound.begin(), bound.end());
  const int high = *std::max_element(bound.begin(), bound.end());
  for (int least = low - 1; least <= high + 1; ++least) {
    std::vector<std::uint32_t> found(last);
    found.resize(find_promising(counts, least, found.data()));
    std::vector<std::uint32_t> expected;
    for (std::size_t c = 0; c < last; ++c) {
      if (bound[c] >= least) expected.push_back(static_cast<std::uint32_t>(c));
    }
    ASSERT_EQ(found, expected) << bits << " " << classes << " " << least;
  }
}

TEST(ScoreBound, IsTheSumOverCells) {
  for (int bits = 1; bits <= 5; ++bits) {
    for (const std::size_t classes : {2, 3, 5}) {
      for (const std::size_t last : {1, 16, 37}) check_bound(bits, classes, last, 200);
    }
  }
}

TEST(ScoreBound, CountsOfCommonBits) {
  Random random(2);
  for (const std::size_t words : {1, 3, 8, 13, 64}) {
    constexpr std::size_t height = 7;
    constexpr std::size_t width = 10;
    std::vector<std::vector<std::uint64_t>> bits(height + width,
                                                 std::vector<std::uint64_t>(words + 2 + slack));
    std::vector<const std::uint64_t*> columns;
    for (auto& column : bits) {
      for (auto& word : column) word = random.below(std::size_t{1} << 63U) * 2 + random.below(2);
      columns.push_back(column.data());
    }
    std::vector<std::size_t> limits(height);
    for (std::size_t r = 0; r < height; ++r) limits[r] = r + 1;
    std::vector<std::uint32_t> counts(height * width, 5);
    add_and_counts({columns.data(), height, limits.data(), columns.data() + height, width,
                    counts.data(), width},
                   2, words);
    for (std::size_t r = 0; r < height; ++r) {
      for (std::size_t c = 0; c < limits[r]; ++c) {
        std::uint32_t expected = 5;
        for (std::size_t w = 2; w < words + 2; ++w) {
          expected += static_cast<std::uint32_t>(std::popcount(bits[r][w] & bits[height + c][w]));
        }
        EXPECT_EQ(counts[r * width + c], expected);
      }
    }
  }
}

}  // namespace
}  // namespace fsieve
