// The middle of columns in passes: the same as by sorting all values.
#include "data/medians.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tables.h"

namespace fsieve::testing {
namespace {

using Values = std::vector<double>;

Middle by_sorting(Values values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  const auto below = std::lower_bound(values.begin(), values.end(), values.back());
  return {values[(n - 1) / 2], values[n / 2], values.back(),
          below == values.begin() ? -HUGE_VAL : *(below - 1)};
}

std::vector<Values> columns_of(std::size_t rows) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  std::vector<Values> columns(8, Values(rows));
  for (std::size_t i = 0; i < rows; ++i) {
    const double x = normal(random);
    columns[0][i] = x;
    columns[1][i] = std::exp(20 * x);
    columns[2][i] = x > 0.2 ? x : 0.0;                  // most are one value
    columns[3][i] = std::floor(3 * x);                  // few values
    columns[4][i] = static_cast<double>(i);             // in order
    columns[5][i] = i % 2 == 0 ? 1.0 : x - 100;         // the middle is between two worlds
    columns[6][i] = i % 97 == 0 ? -1e300 : 1e300;       // the largest value is the middle
    columns[7][i] = i < rows / 2 ? x * 1e-9 : 1e9 + x;  // a gap in the middle
  }
  return columns;
}

TEST(Medians, AreThoseOfSortedValues) {
  for (const std::size_t rows : {1, 2, 3, 1000, 30'001, 30'002}) {
    const std::vector<Values> columns = columns_of(rows);
    const MemorySource source = table(columns);
    std::vector<std::size_t> all(columns.size());
    for (std::size_t j = 0; j < all.size(); ++j) all[j] = j;
    for (const std::size_t most_values : {0, 20'000, 1 << 23}) {
      const std::vector<Middle> middles = middles_of(source, all, most_values);
      for (std::size_t j = 0; j < all.size(); ++j) {
        SCOPED_TRACE(::testing::Message() << rows << " rows, column " << j << ", " << most_values);
        const Middle expected = by_sorting(columns[j]);
        EXPECT_EQ(middles[j].lower, expected.lower);
        EXPECT_EQ(middles[j].upper, expected.upper);
        EXPECT_EQ(middles[j].largest, expected.largest);
        EXPECT_EQ(middles[j].next, expected.next);
      }
    }
  }
}

}  // namespace
}  // namespace fsieve::testing
