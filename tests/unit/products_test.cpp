// Inner products of rows, and of sums of rows that are gone: who asks gets the same.
#include "span/products.h"

#include <gtest/gtest.h>

#include "fsieve/error.h"
#include "source/parted_source.h"
#include "span/parity_sums.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::Random;

// Four columns far from zero, two of two values, a constant; all parities of up to two of them.
class ProductsTest : public ::testing::Test {
 protected:
  ProductsTest() {
    sums_.add(rows_, progress_);
    for (const DesignFeature& feature : design_.features) {
      const auto more = parities_with(feature, parities_, 2);
      parities_.insert(parities_.end(), more.begin(), more.end());
    }
  }

  static MemorySource table() {
    Random random(7);
    testing::Columns columns{random.normals(300), random.normals(300), random.signs(300, 0.2),
                             random.signs(300), std::vector<double>(300, 4)};
    for (double& value : columns[0]) value = 100 + 3 * value;
    return testing::table(columns);
  }

  NoProgress progress_;
  MemorySource rows_ = table();
  ParitySums sums_{rows_.schema(), 2};
  SummedSource gone_{sums_};
  Design design_ = Products::design_of(rows_, progress_);
  std::unique_ptr<const Products> of_rows_ = Products::of(rows_, design_);
  std::vector<Parity> parities_{Parity()};
};

TEST_F(ProductsTest, AreTheSameOfSums) {
  const Design of_sums = Products::design_of(gone_, progress_);
  ASSERT_EQ(of_sums.columns.size(), 4U);
  for (std::size_t c = 0; c < 4; ++c) {
    EXPECT_DOUBLE_EQ(of_sums.columns[c].mean, design_.columns[c].mean);
    EXPECT_DOUBLE_EQ(of_sums.columns[c].deviation, design_.columns[c].deviation);
  }
  const auto summed = Products::of(gone_, of_sums);
  const std::vector<Parity> old_parities(parities_.begin(), parities_.begin() + 3);
  const std::vector<Parity> added(parities_.begin() + 3, parities_.end());
  const std::size_t height = parities_.size() + 2;
  const Buffer a = of_rows_->inner(old_parities, added, {3, 0}, progress_, Counting::allowed);
  const Buffer b = summed->inner(old_parities, added, {3, 0}, progress_, Counting::allowed);
  for (std::size_t q = 0; q < added.size(); ++q) {
    for (std::size_t r = 0; r < height; ++r) {
      if (r >= 3 && r < 3 + q) continue;  // above the diagonal
      EXPECT_NEAR(a.data()[r + q * height], b.data()[r + q * height], 1e-10) << r << ' ' << q;
    }
  }
}

TEST_F(ProductsTest, SquaresOfSetsStandOneAfterAnother) {
  const auto summed = Products::of(gone_, design_);
  const std::vector<std::vector<Parity>> sets{{parities_[0], parities_[3], parities_[1]},
                                              {parities_.back()},
                                              {parities_[2], parities_.back()}};
  const auto a = of_rows_->squares(sets, "squares", progress_);
  const auto b = summed->squares(sets, "squares", progress_);
  ASSERT_EQ(a.size(), 9U + 1U + 4U);
  ASSERT_EQ(b.size(), a.size());
  for (const std::size_t lower : {0U, 1U, 2U, 4U, 5U, 8U, 9U, 10U, 11U, 13U}) {
    EXPECT_NEAR(a[lower], b[lower], 1e-7) << lower;
  }
  EXPECT_EQ(a[0], 300);          // of the constant
  EXPECT_NEAR(a[8], 300, 1e-9);  // a column is standardised
  EXPECT_EQ(a[9], a[13]);
}

TEST_F(ProductsTest, SayWhatCanBeAskedOfThem) {
  const auto summed = Products::of(gone_, design_);
  EXPECT_EQ(of_rows_->depth(), max_depth);
  EXPECT_EQ(summed->depth(), 2);
  EXPECT_EQ(of_rows_->parts(), nullptr);
  EXPECT_EQ(summed->parts(), &sums_);
  EXPECT_TRUE(has_rows(rows_));
  EXPECT_TRUE(rows_are_here(rows_));
  EXPECT_FALSE(has_rows(gone_));
  EXPECT_FALSE(rows_are_here(gone_));
  check_has_rows(rows_, "--clusters");
  EXPECT_THROW(check_has_rows(gone_, "--clusters"), Error);
  EXPECT_THROW((void)gone_.open(), Error);
}

}  // namespace
}  // namespace fsieve
