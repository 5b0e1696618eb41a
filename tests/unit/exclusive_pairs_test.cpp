// Products of columns that exclude or imply each other are combinations of smaller ones.
#include "span/exclusive_pairs.h"

#include <gtest/gtest.h>

#include "source/whole_table.h"
#include "tables.h"

namespace fsieve {
namespace {

// 0 and 1 exclude each other, 2 follows from 0, 3 is a count that is 0 wherever 1 is not, and 4 is
// free.
MemorySource mixed_table() {
  testing::Random random(3);
  testing::Columns columns(5, std::vector<double>(200));
  for (std::size_t i = 0; i < 200; ++i) {
    columns[0][i] = i % 5 == 0 ? 1 : 0;
    columns[1][i] = i % 5 == 1 ? 7 : 3;
    columns[2][i] = i % 5 == 0 || random.below(2) == 0 ? 1 : 0;
    columns[3][i] = i % 5 == 1 ? static_cast<double>(random.below(9)) : 0;
    columns[4][i] = static_cast<double>(random.below(1000));
  }
  return testing::table(columns);
}

Parity product_of(std::initializer_list<std::size_t> columns) {
  Parity parity;
  for (const std::size_t c : columns) parity = parity.times(c);
  return parity;
}

class Exclusive : public ::testing::Test {
 protected:
  NoProgress progress;
  MemorySource source = mixed_table();
  Design design = make_design(source, progress);
  ExclusivePairs pairs{source, design};

  double left(const Parity& parity, double of_each) {
    return pairs.most_left(parity, [&](const Parity&) { return of_each; }).value_or(-1);
  }
};

TEST_F(Exclusive, AreFoundWhateverTheirValues) {
  EXPECT_TRUE(pairs.any_in(product_of({0, 1})));
  EXPECT_TRUE(pairs.any_in(product_of({0, 2})));
  EXPECT_TRUE(pairs.any_in(product_of({0, 3})));
  EXPECT_TRUE(pairs.any_in(product_of({1, 3})));
  EXPECT_TRUE(pairs.any_in(product_of({0, 1, 4})));
  EXPECT_FALSE(pairs.any_in(product_of({1, 2})));
  EXPECT_FALSE(pairs.any_in(product_of({0, 4})));
  EXPECT_FALSE(pairs.any_in(product_of({4})));
}

TEST_F(Exclusive, LeaveNothingWhereSmallerProductsStay) {
  EXPECT_EQ(left(product_of({0, 1}), 0), 0);
  EXPECT_EQ(left(product_of({2, 4}), 0), -1);
  EXPECT_GT(left(product_of({0, 1, 4}), 0.1), 0);
}

// The bound is the sum of the coefficients: of the product itself they give all.
TEST_F(Exclusive, BoundsGoByTheCoefficients) {
  const Block whole = whole_table(source);
  std::vector<double> x(200);
  std::vector<double> y(200);
  design.standardised(whole, 0, 200, 0, x.data());
  design.standardised(whole, 0, 200, 1, y.data());
  const double s = x[1];  // where 0 is absent
  const double t = y[0];
  for (std::size_t i = 0; i < 200; ++i) {
    ASSERT_NEAR(x[i] * y[i], t * x[i] + s * y[i] - s * t, 1e-12);
  }
  EXPECT_NEAR(left(product_of({0, 1}), 1), std::abs(s * t) + std::abs(s) + std::abs(t), 1e-12);
}

}  // namespace
}  // namespace fsieve
