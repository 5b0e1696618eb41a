// Columns that equal another one in all rows but one, and what they say of copies.
#include "equation/near_twins.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "equation/confirmation.h"
#include "fsieve/uffs.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::Random;
using testing::table;

constexpr std::size_t pictures = 400;

// A pixel at the border: the ground of one thing of several is a little bright.
std::vector<double> faint(std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(pictures);
  for (std::size_t i = 0; i < 70; ++i) values[5 * i] = std::floor(1 + 9 * random.uniform()) / 255;
  return values;
}

std::vector<double> with(std::vector<double> values, std::size_t row, double value) {
  values[row] = value;
  return values;
}

Sheet sheet_of(const Columns& columns) {
  Sheet sheet;
  sheet.rows = columns[0].size();
  for (const auto& column : columns) {
    sheet.values.insert(sheet.values.end(), column.begin(), column.end());
  }
  return sheet;
}

double left_by_row(const Columns& columns, RareColumn column) {
  return left_by_one_row(sheet_of(columns), {&column, 1})[0];
}

// By definition: the row that is off, of the sum of squares of the column that has it.
double by_definition(const std::vector<double>& column, double off) {
  double sum = 0;
  double squares = 0;
  for (const double value : column) {
    sum += value;
    squares += value * value;
  }
  squares -= sum * sum / static_cast<double>(column.size());
  return off * off / (squares + off * off);
}

TEST(NearTwins, AreEqualButForOneRow) {
  const auto pixel = faint(1);
  const auto left = [&](const std::vector<double>& other) {
    return left_by_row({other, pixel, faint(2)}, {1, 0});
  };
  EXPECT_EQ(left(pixel), 0);
  EXPECT_NEAR(left(with(pixel, 7, 0.2)), by_definition(pixel, 0.2), 1e-12);
  EXPECT_NEAR(left(with(pixel, 0, 0.2)), by_definition(pixel, 0.2 - pixel[0]), 1e-12);
  EXPECT_EQ(left(with(with(pixel, 7, 0.2), 8, 0.2)), 0);
  EXPECT_EQ(left(faint(3)), 0);
  // In another unit and from another origin.
  auto turned = with(pixel, 7, 0.2);
  for (double& value : turned) value = 3 - 10 * value;
  EXPECT_NEAR(left(turned), by_definition(pixel, 0.2), 1e-12);
}

TEST(NearTwins, ColumnsOfTooFewRowsHaveNone) {
  const std::vector<double> two = with(with(std::vector<double>(pictures), 3, 1), 9, 1);
  EXPECT_EQ(left_by_row({two, with(two, 20, 1)}, {0, 0}), 0);
  EXPECT_EQ(left_by_row({{1, 2, 3}, {1, 2, 3}}, {0, 1}), 0);
}

// Columns are looked at many at a time.
TEST(NearTwins, AreFoundWhereverTheyStand) {
  const auto pixel = faint(1);
  Random random(5);
  Columns columns;
  for (std::size_t c = 0; c < 131; ++c) columns.push_back(random.normals(pictures));
  for (std::size_t c = 3; c < 131; c += 4) columns[c] = faint(c);
  columns[17] = pixel;
  for (const std::size_t place : {0, 7, 63, 64, 127, 130}) {
    for (const double off : {0.2, 1e12}) {
      auto all = columns;
      all[place] = with(pixel, 7, off);
      EXPECT_NEAR(left_by_row(all, {17, 0}), by_definition(pixel, off), 1e-9) << place;
    }
  }
  EXPECT_EQ(left_by_row(columns, {17, 0}), 0);
}

// COIL20: 13 of 125 columns that went because of half of the rows were pixels at the border, equal
// in all of these, and R² was 0.3 to 0.85 in the other half. There as here some others were equal
// but for one picture, in which a thing reaches the border.
TEST(NearTwins, CopiesStayThatATwinCastsDoubtOn) {
  const auto pixel = faint(1);
  Random random(7);
  const auto other = random.normals(pictures);
  for (const Order order : {Order::automatic, Order::input}) {
    UffsOptions options;
    options.order = order;
    NoProgress quiet;
    const auto gone = [&](const Columns& columns) {
      return uffs(table(columns), options, quiet).removed.size();
    };
    EXPECT_EQ(gone({pixel, other, pixel}), 1U);
    EXPECT_EQ(gone({pixel, other, pixel, with(pixel, 7, 0.2)}), 0U);
    // Real numbers are told by their digits, also where one row is wrong.
    EXPECT_EQ(gone({other, other, with(other, 7, 50), pixel}), 1U);
  }
}

// breast cancer: 4 of 122 sums of twelve products, fitted to half of the rows, some of which had
// leverages of 0.9, were 0.02 to 0.05 below their R² in a single row of the other half.
TEST(Confirmation, RowsThatOthersHardlyTellOfMustNotMatter) {
  const auto holds = [](double left, double hardly_told) {
    HeldOutFit judged;
    judged.left = judged.left_out = left;
    judged.carriers = 300;
    judged.arrangements = std::numeric_limits<double>::infinity();
    judged.hardly_told = hardly_told;
    Confirmation one(0.1, 1000, 12);
    one.add(judged, 12, 1, 20);
    return one.holds();
  };
  EXPECT_TRUE(holds(0.005, 0.001));
  EXPECT_FALSE(holds(0.005, 0.05));
  EXPECT_TRUE(holds(1e-12, 0.05));
}

}  // namespace
}  // namespace fsieve
