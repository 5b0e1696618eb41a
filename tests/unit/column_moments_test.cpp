// Means, variances and ranges against plain loops, to the last digit.
#include "stats/moments.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tables.h"

namespace fsieve {
namespace {

TEST(ColumnMoments, OfColumnsSideBySideAreThoseOfEachAlone) {
  testing::Random random(6);
  for (std::size_t columns = 1; columns <= 9; ++columns) {
    constexpr std::size_t rows = 301;
    std::vector<double> values = random.normals(rows * columns);
    for (double& value : values) value = 1e3 + 0.1 * value;
    Schema schema;
    for (std::size_t j = 0; j < columns; ++j) {
      schema.features.push_back({"x" + std::to_string(j), j, ColumnKind::numeric, {}});
    }
    Block block;
    block.rows = block.stride = rows;
    block.values = values.data();
    Moments moments(schema);
    moments.add(block);
    for (std::size_t j = 0; j < columns; ++j) {
      const std::span<const double> column = block.column(j);
      double sum = 0;
      for (const double x : column) sum += x - column[0];
      const double mean = column[0] + sum / static_cast<double>(rows);
      double squares = 0;
      for (const double x : column) squares += (x - mean) * (x - mean);
      EXPECT_EQ(moments.numeric(j).mean, mean);
      EXPECT_EQ(moments.numeric(j).squares, squares);
      EXPECT_EQ(moments.numeric(j).low, *std::min_element(column.begin(), column.end()));
      EXPECT_EQ(moments.numeric(j).high, *std::max_element(column.begin(), column.end()));
      EXPECT_EQ(moments.numeric(j).distinct, 3);
    }
  }
}

}  // namespace
}  // namespace fsieve
