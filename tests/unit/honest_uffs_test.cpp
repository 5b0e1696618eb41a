// What UFFS removes stays redundant on other rows; what is protected stays; groups of
// interchangeable columns.
#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "fsieve/error.h"
#include "fsieve/uffs.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::Random;
using testing::table;

NoProgress unwatched;

Columns sparse_flags(std::uint64_t seed, std::size_t rows, std::size_t columns) {
  Random random(seed);
  Columns flags;
  while (flags.size() < columns) {
    const double share = 0.002 + 0.05 * random.uniform() * random.uniform();
    std::vector<double> flag = random.signs(rows, share);
    for (double& value : flag) value = (value + 1) / 2;
    if (std::accumulate(flag.begin(), flag.end(), 0.0) > 0) flags.push_back(std::move(flag));
  }
  return flags;
}

// 3 of 222 such columns went at "R² 1.0": products of two happened to have the same one row.
TEST(HonestUffs, KeepsIndependentFlagsWhateverTheirSparsity) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const UffsResult found = uffs(table(sparse_flags(seed, 300, 60)), UffsOptions(), unwatched);
    EXPECT_TRUE(found.removed.empty()) << "seed " << seed;
    UffsOptions walk;
    walk.order = Order::input;
    walk.stages = {{2, 0}};
    walk.engine = Engine::gram;
    EXPECT_TRUE(uffs(table(sparse_flags(seed, 300, 40)), walk, unwatched).removed.empty());
    walk.engine = Engine::sample;
    EXPECT_TRUE(uffs(table(sparse_flags(seed, 300, 40)), walk, unwatched).removed.empty());
  }
}

// BASEHOCK, one half: of 51 columns that went at "R² 1.0", words that agree in six texts, 23 were
// worse on the other half. A column that is the sum of others in as few rows stays. A copy goes,
// as no model of these rows could tell it from the other, but nothing is promised.
TEST(HonestUffs, RareFlagsGoAsCopiesOnly) {
  constexpr std::size_t rows = 1000;
  const auto flag = [&](std::size_t first, std::size_t step, std::size_t count) {
    std::vector<double> values(rows);
    for (std::size_t k = 0; k < count; ++k) values[first + k * step] = 1;
    return values;
  };
  const auto plus = [](std::vector<double> a, const std::vector<double>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
  };
  const auto rare = flag(3, 101, 8);
  const auto part = flag(17, 131, 5);
  const auto other = flag(40, 157, 5);
  const auto common = flag(1, 3, 300);
  const Columns columns{rare, rare, part, other, plus(part, other), common, common};
  for (const Order order : {Order::automatic, Order::input}) {
    UffsOptions options;
    options.order = order;
    const UffsResult found = uffs(table(columns), options, unwatched);
    ASSERT_EQ(found.removed.size(), 2U);
    EXPECT_EQ(found.removed[0].feature, 1U);
    EXPECT_LT(found.removed[0].equations[0].r2, 0.3);
    EXPECT_NEAR(found.removed[0].equations[0].r2_fit, 1, 1e-12);
    EXPECT_EQ(found.removed[1].feature, 6U);
    EXPECT_NEAR(found.removed[1].equations[0].r2, 1, 1e-12);
    ASSERT_FALSE(found.warnings.empty());
    EXPECT_NE(found.warnings.back().find("the equation of 1 removed feature is exact in all rows"),
              std::string::npos);
  }
}

TEST(HonestUffs, ProtectedFeaturesStayWhereverTheyStand) {
  Random random(8);
  const auto a = random.normals(200);
  const auto b = random.normals(200);
  std::vector<double> sum(200);
  for (std::size_t i = 0; i < 200; ++i) sum[i] = a[i] + b[i];
  UffsOptions options;
  options.protect = {"x1", "x3"};
  for (const Order order : {Order::automatic, Order::input}) {
    options.order = order;
    for (const Columns& columns : {Columns{a, b, sum}, Columns{sum, a, b}, Columns{a, sum, a}}) {
      const UffsResult found = uffs(table(columns), options, unwatched);
      ASSERT_EQ(found.selected.size() + found.removed.size(), 3U);
      EXPECT_EQ(found.selected.front().feature, 0U);
      EXPECT_EQ(found.selected.back().feature, 2U);
    }
  }
  options.protect = {"x9"};
  EXPECT_THROW((void)uffs(table({a, b}), options, unwatched), Error);
}

TEST(Interchangeable, GroupsAreCompleteAndConfirmed) {
  Random random(9);
  const auto base = random.normals(72);
  const auto near = [&](double noise) {
    auto column = random.normals(72);
    for (std::size_t i = 0; i < 72; ++i) column[i] = base[i] + noise * column[i];
    return column;
  };
  Columns columns;
  for (int k = 0; k < 5; ++k) columns.push_back(near(0.1));
  for (int k = 0; k < 40; ++k) columns.push_back(random.normals(72));
  columns.emplace_back(72, 1.0);
  UffsOptions options;
  options.clusters = 0.9;
  const UffsResult found = interchangeable(table(columns), options, unwatched);
  ASSERT_EQ(found.clusters->size(), 1U);
  EXPECT_EQ(found.clusters->at(0).members.size(), 5U);
  EXPECT_GE(found.clusters->at(0).r2, 0.9);
  EXPECT_EQ(found.selected.size(), 41U);
  EXPECT_EQ(found.removed.size(), 5U);
  for (const RemovedFeature& removed : found.removed) {
    ASSERT_EQ(removed.equations.size(), 1U);
    if (removed.reason == Reason::constant) continue;
    EXPECT_LT(removed.equations[0].r2, removed.equations[0].r2_fit);
    EXPECT_GT(removed.equations[0].r2, 0.9);
  }
}

}  // namespace
}  // namespace fsieve
