// The single-precision screen of the forward search: its estimates are never further off than they
// say, and the step it finds is that of double precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "fsieve/sffs.h"
#include "linalg/narrow.h"
#include "methods/forward/round.h"
#include "supervised_tables.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::Random;

// Columns that single precision finds hard: far tails, rare values, and pairs that differ by what
// is just above or below the limit of what counts as new.
Columns hard_columns(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  Columns columns;
  columns.push_back(random.normals(n));
  columns.push_back(random.signs(n, 0.5));
  columns.push_back(random.signs(n, 20.0 / static_cast<double>(n)));
  std::vector<double> tails = random.normals(n);
  for (double& value : tails) value = std::pow(value, 7);
  columns.push_back(tails);
  std::vector<double> trend(n);
  for (std::size_t i = 0; i < n; ++i) trend[i] = static_cast<double>(i);
  columns.push_back(trend);
  for (const double share : {0.9e-3, 0.999e-3, 1.0e-3, 1.001e-3, 1.1e-3, 1e-4, 1e-2}) {
    columns.push_back(testing::sum(1, columns[0], std::sqrt(share), random.normals(n)));
  }
  columns.push_back(columns[0]);
  return columns;
}

std::vector<double> label_of(const Columns& columns, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> y = testing::sum(3, columns[0], 0.5, columns[4]);
  y = testing::sum(1, y, 0.02, columns[8]);
  y = testing::sum(1, y, 2, testing::product(columns[1], columns[5]));
  return testing::sum(1, y, 0.1, random.normals(y.size()));
}

void expect_within(const Catch& estimate, const Catch& exact, double unit) {
  if (std::isinf(estimate.error)) return;
  EXPECT_EQ(estimate.functions, exact.functions);
  EXPECT_LE(std::abs(estimate.gain - exact.gain), estimate.error + unit);
}

TEST(Screen, EstimatesSayHowFarOffTheyAre) {
  for (const std::size_t n : {std::size_t{300}, std::size_t{5000}, std::size_t{200'000}}) {
    const Columns columns = hard_columns(n, n);
    const testing::Loaded table = testing::load(columns, label_of(columns, 3), Task::regression);
    Round round(table.data, table.data.features, 2);
    std::size_t guides = 0;
    for (const std::size_t taken : {std::size_t{4}, std::size_t{1}, std::size_t{0}}) {
      round.update_estimates();
      for (const std::size_t feature : round.free()) {
        const double unit = 2e-10 * round.total();  // gains are rounded to this
        const Catch alone = round.estimate_alone(feature);
        guides += std::isinf(alone.error) ? 0 : 1;
        expect_within(alone, round.alone(feature), unit);
        if (!round.products_fit(feature)) continue;
        expect_within(round.estimate_with_products(feature), round.with_products(feature), unit);
      }
      round.take_with_products(taken);
    }
    EXPECT_GT(guides, 24U);  // of 36: most estimates are of use
  }
}

// Sums of one sign, over more rows than single precision can count one by one.
TEST(Screen, ItsErrorGrowsWithTheRows) {
  const double small = blas::rounding_of_inner_product(1000);
  EXPECT_GT(small, std::sqrt(1000.0) / (1U << 24U));
  EXPECT_GT(blas::rounding_of_inner_product(10'000'000), 4 * small);
  EXPECT_LT(blas::rounding_of_inner_product(10'000'000), 1e-4);
}

// Candidates that differ in the eighth digit: single precision cannot tell them apart.
TEST(Screen, TheBestStepIsThatOfDoublePrecision) {
  constexpr std::size_t n = 4000;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    const std::vector<double> base = random.normals(n);
    const std::vector<double> noise = random.normals(n);
    Columns columns;
    for (int j = 0; j < 40; ++j) {
      columns.push_back(testing::sum(1, base, 1e-4, random.normals(n)));
    }
    const std::vector<double> y = testing::sum(1, base, 0.3, noise);
    const testing::Loaded table = testing::load(columns, y, Task::regression);
    const Round round(table.data, table.data.features, 1);
    const auto best = std::max_element(
        round.free().begin(), round.free().end(),
        [&](std::size_t a, std::size_t b) { return round.alone(a).gain < round.alone(b).gain; });
    SffsOptions options;
    options.k = 1;
    options.depth = 1;
    options.task = Task::regression;
    NoProgress progress;
    const SffsResult found = sffs(*table.source, options, progress);
    ASSERT_EQ(found.selected.size(), 1U);
    EXPECT_EQ(found.selected[0].feature, *best);
  }
}

}  // namespace
}  // namespace fsieve
