// Weights of rows in select: a whole number w must give what w equal rows give, to 1e-9.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "fsieve/error.h"
#include "fsieve/sffs.h"
#include "weighted_tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::digits;
using testing::Random;
using testing::random_table;
using testing::repeated;
using testing::Table;
using testing::weighted;

// The last column becomes the label.
MemorySource labelled(const MemorySource& table) {
  Schema schema = table.schema();
  schema.label = schema.features.back();
  schema.features.pop_back();
  return {std::move(schema),
          {table.in_memory().begin(), table.in_memory().end()},
          table.rows(),
          {table.weights().begin(), table.weights().end()}};
}

enum class Kind { two_classes, text_classes, regression };

// A table of every kind of column, with a label that has to do with the first few.
Table labelled_table(std::uint64_t seed, Kind kind, bool discrete) {
  Random random(seed);
  Table table = random_table(seed);
  const std::size_t n = table.rows();
  if (discrete) {
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      if (table.levels[j] == 0) table.columns[j] = random.signs(n, 0.45);
      table.columns[j][0] = 1;
      table.columns[j][1] = table.levels[j] > 0 ? 0 : -1;
    }
  }
  const auto noise = random.normals(n);
  std::vector<double> y(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double signal = table.columns[0][i] * table.columns[1][i] + 0.5 * table.columns[2][i];
    y[i] = signal + 0.4 * noise[i];
    if (kind == Kind::two_classes) y[i] = y[i] > 0.2 ? 1 : 0;
    if (kind == Kind::text_classes) y[i] = y[i] > 0.7 ? 2 : (y[i] > -0.2 ? 1 : 0);
    if (kind != Kind::regression && i < 3) y[i] = kind == Kind::two_classes ? i % 2 : i;
    if (i < 3) table.weights[i] = 1 + static_cast<double>(i);  // every class occurs
  }
  table.columns.push_back(y);
  table.levels.push_back(kind == Kind::text_classes ? 3 : 0);
  return table;
}

// Where a row decides its own prediction almost alone, q2 is a large negative number with few
// digits.
void expect_equal_scores(double a, double b) { ASSERT_NEAR(a, b, digits * (1 + b * b)); }

void expect_equal(const SffsResult& a, const SffsResult& b) {
  ASSERT_EQ(a.measure, b.measure);
  ASSERT_EQ(a.classes, b.classes);
  ASSERT_EQ(a.selected.size(), b.selected.size());
  for (std::size_t k = 0; k < a.selected.size(); ++k) {
    ASSERT_EQ(a.selected[k].feature, b.selected[k].feature) << "at " << k;
    ASSERT_EQ(a.selected[k].round, b.selected[k].round);
    expect_equal_scores(a.selected[k].score, b.selected[k].score);
    ASSERT_EQ(a.selected[k].p_value.has_value(), b.selected[k].p_value.has_value());
    if (a.selected[k].p_value) {
      ASSERT_NEAR(std::log(*a.selected[k].p_value), std::log(*b.selected[k].p_value), 1e-4);
    }
  }
  ASSERT_EQ(a.subsets.size(), b.subsets.size());
  for (std::size_t k = 0; k < a.subsets.size(); ++k) {
    ASSERT_EQ(a.subsets[k].features, b.subsets[k].features);
    expect_equal_scores(a.subsets[k].score, b.subsets[k].score);
  }
  ASSERT_EQ(a.accuracy_estimate.has_value(), b.accuracy_estimate.has_value());
  if (a.accuracy_estimate) {
    ASSERT_NEAR(*a.accuracy_estimate, *b.accuracy_estimate, digits);
  }
  ASSERT_EQ(a.r2_estimate.has_value(), b.r2_estimate.has_value());
  if (a.r2_estimate) {
    ASSERT_NEAR(*a.r2_estimate, *b.r2_estimate, 1e-6);
  }
  ASSERT_EQ(a.bound.has_value(), b.bound.has_value());
  if (a.bound) {
    ASSERT_NEAR(a.bound->excess_loss, b.bound->excess_loss, digits * b.bound->excess_loss);
  }
  ASSERT_EQ(a.warnings, b.warnings);
}

void compare(const Table& table, const SffsOptions& options) {
  NoProgress progress;
  expect_equal(sffs(labelled(weighted(table)), options, progress),
               sffs(labelled(repeated(table)), options, progress));
}

// Where there are more real features than rows most subsets explain everything: they tie, and which
// comes first in a ranking of scores to 12 decimals is a matter of rounding.
bool ties(std::uint64_t seed, bool discrete, const SffsOptions& options) {
  return testing::is_wide(seed) && !discrete && options.search == Search::unite;
}

void compare_all(const std::function<void(std::uint64_t, SffsOptions&)>& vary,
                 std::uint64_t seeds = 60) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    for (const Kind kind : {Kind::two_classes, Kind::text_classes, Kind::regression}) {
      for (const bool discrete : {false, true}) {
        for (int depth = 1; depth <= 3; ++depth) {
          SffsOptions options;
          options.depth = depth;
          options.folds = seed % 12 == 0 ? 3 : 0;
          if (kind == Kind::regression) options.task = Task::regression;
          vary(seed, options);
          if (ties(seed, discrete, options)) continue;
          SCOPED_TRACE(fmt::format("seed {} kind {} discrete {} depth {}", seed,
                                   static_cast<int>(kind), discrete, depth));
          compare(labelled_table(seed, kind, discrete), options);
          if (::testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(WeightsSelect, WholeOnesAreRepeatedRowsForTheForwardSearch) {
  compare_all([](std::uint64_t seed, SffsOptions& options) {
    if (seed % 2 == 0) options.k = 2;
    if (seed % 3 == 0) options.alpha = 0.2;
    if (seed % 4 == 0) options.bins = 3;
    if (seed % 5 == 0) options.reduce = std::vector<Stage>{{2, 0}};
    if (seed % 5 == 0) options.k.reset();
  });
}

TEST(WeightsSelect, WholeOnesAreRepeatedRowsForTheBestSize) {
  compare_all(
      [](std::uint64_t, SffsOptions& options) {
        options.k.reset();
        options.best_size = true;
        options.folds = 3;
      },
      4);
}

TEST(WeightsSelect, WholeOnesAreRepeatedRowsForTheBeam) {
  compare_all([](std::uint64_t, SffsOptions& options) {
    options.search = Search::beam;
    options.beam = 3;
    options.alpha = 0.2;
  });
}

TEST(WeightsSelect, WholeOnesAreRepeatedRowsForTheUnion) {
  compare_all([](std::uint64_t seed, SffsOptions& options) {
    options.search = Search::unite;
    options.k = 2;
    if (seed % 3 == 0) options.bins = 4;
  });
}

TEST(WeightsSelect, WholeOnesAreRepeatedRowsForTheUnionByL2) {
  compare_all([](std::uint64_t seed, SffsOptions& options) {
    options.search = Search::unite;
    options.score = Score::l2;
    options.k = 2;
    if (seed % 3 == 0) options.bins = 4;
  });
}

// Two-valued features, weights of any size: the measure from the table of cells, by its definition.
double measure_by_definition(const Table& table, const std::vector<std::size_t>& features) {
  const std::vector<double>& y = table.columns.back();
  const auto same_cell = [&](std::size_t i, std::size_t j) {
    return std::all_of(features.begin(), features.end(),
                       [&](std::size_t f) { return table.columns[f][i] == table.columns[f][j]; });
  };
  double n = 0;
  for (const double w : table.weights) n += w;
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    double in_cell = 0;
    double total = 0;
    for (std::size_t j = 0; j < y.size(); ++j) {
      if (!same_cell(i, j)) continue;
      in_cell += table.weights[j];
      total += table.weights[j] * y[j];
    }
    if (table.weights[i] > 0) sum += table.weights[i] * std::abs(total - y[i]) / in_cell;
  }
  return sum / (n - 1);
}

TEST(WeightsSelect, AnyWeightsFollowTheDefinition) {
  NoProgress progress;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    const std::size_t n = 30 + random.below(60);
    Table table{{}, {}, {}};
    for (int j = 0; j < 4; ++j) table.columns.push_back(random.signs(n));
    auto y = testing::product(table.columns[0], table.columns[2]);
    for (double& value : y) value = random.uniform() < 0.2 ? -value : value;
    table.columns.push_back(y);
    for (std::size_t i = 0; i < n; ++i) table.weights.push_back(3 * random.uniform());
    SffsOptions options;
    options.k = 2;
    for (const Search search : {Search::forward, Search::unite}) {
      options.search = search;
      const SffsResult result = sffs(labelled(weighted(table)), options, progress);
      for (const ScoredSubset& subset : result.subsets) {
        if (search == Search::forward && subset.features.size() < 2) continue;
        ASSERT_NEAR(subset.score, measure_by_definition(table, subset.features), digits);
      }
    }
  }
}

TEST(WeightsSelect, RowsOfWeightZeroBringNoClass) {
  NoProgress progress;
  Random random(9);
  Columns columns{random.normals(60), random.normals(60), random.codes(60, 3)};
  std::vector<double> weights(60, 1.0);
  for (std::size_t i = 0; i < 60; ++i) {
    if (columns[2][i] == 0) weights[i] = 0;
  }
  const MemorySource rows = labelled(testing::table(columns, {0, 0, 3}));
  SffsOptions options;
  options.k = 1;
  const SffsResult result = sffs(WeightedSource(rows, weights), options, progress);
  EXPECT_THAT(result.classes.value(), ::testing::ElementsAre("b", "c"));
}

TEST(WeightsSelect, ShufflesKeepWeightsWithTheLabel) {
  NoProgress progress;
  Random random(10);
  const std::size_t n = 300;
  const auto x = random.signs(n);
  auto y = x;
  for (double& value : y) value = random.uniform() < 0.1 ? -value : value;
  std::vector<double> weights;
  for (std::size_t i = 0; i < n; ++i) weights.push_back(2 * random.uniform());
  const MemorySource rows = labelled(testing::table({random.signs(n), x, random.signs(n), y}));
  SffsOptions options;
  options.permutations = 199;
  const SffsResult result = sffs(WeightedSource(rows, weights), options, progress);
  ASSERT_EQ(result.selected.size(), 1U);
  EXPECT_EQ(result.selected[0].feature, 1U);
  EXPECT_DOUBLE_EQ(*result.selected[0].p_value, 1.0 / 200);
}

TEST(WeightsSelect, WeightsMustCountRows) {
  NoProgress progress;
  const MemorySource rows = labelled(testing::table({{1, 2, 3, 4}, {0, 1, 0, 1}}));
  try {
    (void)sffs(WeightedSource(rows, {0.25, 0.25, 0.25, 0.25}), {}, progress);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "the weights of the rows sum to 1: scale them to count rows, two or more");
  }
}

}  // namespace
}  // namespace fsieve
