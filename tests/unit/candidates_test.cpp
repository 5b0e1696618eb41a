// What counts as a candidate where a level is shared among all of them.
#include <gtest/gtest.h>

#include <cmath>

#include "methods/forward/multiplicity.h"
#include "methods/forward/near_copies.h"
#include "supervised_tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::load;
using testing::Random;

constexpr std::size_t rows = 200;
using Features = std::vector<std::size_t>;

std::vector<double> spread(std::vector<double> column, double by, Random& random) {
  const auto noise = random.normals(column.size());
  for (std::size_t i = 0; i < column.size(); ++i) column[i] += by * noise[i];
  return column;
}

Features candidates(const Columns& columns) {
  Random random(9);
  return without_near_copies(load(columns, random.signs(rows), Task::classification).data);
}

TEST(Candidates, CopiesAreOne) {
  Random random(1);
  const auto real = random.normals(rows);
  auto turned = real;
  for (double& value : turned) value = 7 - 3 * value;
  const auto flag = random.signs(rows, 0.1);
  const auto other = random.normals(rows);
  EXPECT_EQ(candidates({real, other, turned}), (Features{0, 1}));
  EXPECT_EQ(candidates({spread(real, 1e-7, random), real, other}), (Features{0, 2}));
  // The plainer one stays.
  EXPECT_EQ(candidates({spread(flag, 1e-8, random), flag, other}), (Features{1, 2}));
  EXPECT_EQ(candidates({flag, flag, flag}), (Features{0}));
}

TEST(Candidates, WhatOneLargeValueMakesAlikeIsNot) {
  Random random(2);
  auto a = random.normals(rows);
  auto b = random.normals(rows);
  a[3] = b[3] = 1e9;
  EXPECT_EQ(candidates({a, b}), (Features{0, 1}));
  // Missing values as a code, beside a flag that says so.
  std::vector<double> missing(rows);
  for (std::size_t i = 0; i < rows; i += 5) {
    missing[i] = 1;
    b[i] = 999999;
  }
  EXPECT_EQ(candidates({b, missing}), (Features{0, 1}));
  EXPECT_EQ(candidates({random.normals(rows), spread(a, 0.01, random), a}), (Features{0, 1, 2}));
}

TEST(Candidates, ShareTheLevelByColumnsOfTheInput) {
  Random random(3);
  Columns columns;
  for (int j = 0; j < 6; ++j) columns.push_back(random.normals(rows));
  const testing::Loaded plain = load(columns, random.signs(rows), Task::classification);
  const Features all = plain.data.features;
  const Multiplicity alone(plain.data, all);
  EXPECT_NEAR(alone.log_candidates({2}), std::log(6), 1e-12);
  EXPECT_NEAR(alone.log_candidates({2, 4}), std::log(15), 1e-12);
  EXPECT_EQ(alone.curved_share(), 0);

  // The last three are one date.
  Schema schema = plain.source->schema();
  schema.features[4].index = schema.features[5].index = schema.features[3].index;
  const auto values = plain.source->in_memory();
  const MemorySource dated(schema, {values.begin(), values.end()}, rows);
  SupervisedData data = plain.data;
  data.source = &dated;
  const Multiplicity shared(data, all);
  EXPECT_NEAR(shared.log_candidates({2}), std::log(4), 1e-12);
  EXPECT_NEAR(shared.log_candidates({5}), std::log(12), 1e-12);
  // The level is spent once: the parts of all subsets add up to one.
  double spent = 0;
  for (std::size_t a = 0; a < 6; ++a) {
    for (std::size_t b = a + 1; b < 6; ++b) spent += std::exp(-shared.log_candidates({a, b}));
  }
  EXPECT_NEAR(spent, 1, 1e-12);
}

}  // namespace
}  // namespace fsieve
