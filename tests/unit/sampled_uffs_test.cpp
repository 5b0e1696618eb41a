// UFFS prepared on a sample: the verdicts and equations are those of all rows, and what only a
// sample says is taken back.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "data/telling_sample.h"
#include "fsieve/uffs.h"
#include "source/sampled_rows.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::Random;
using testing::table;

constexpr double threshold = 0.1;

UffsOptions on(std::size_t sample, Order order = Order::input) {
  UffsOptions options;
  options.order = order;
  options.stages = {{1, 0}, {2, 0}};
  options.sample = sample;
  return options;
}

UffsResult run(const Source& source, std::size_t sample, Order order = Order::input) {
  NoProgress progress;
  return uffs(source, on(sample, order), progress);
}

const RemovedFeature* removed(const UffsResult& result, std::size_t feature) {
  for (const RemovedFeature& entry : result.removed) {
    if (entry.feature == feature) return &entry;
  }
  return nullptr;
}

// The norm that decides: of rows that were not used.
double left_of(const UffsResult& result, std::size_t feature) {
  double r2 = 1;
  if (const RemovedFeature* gone = removed(result, feature)) {
    for (const Equation& equation : gone->equations) r2 = std::min(r2, equation.r2);
    return std::sqrt(1 - r2);
  }
  for (const SelectedFeature& kept : result.selected) {
    if (kept.feature == feature) return kept.adjusted_norm.value_or(1);
  }
  return 1;
}

bool near_epsilon(double norm) { return std::abs(norm / threshold - 1) <= 0.01; }

// Verdicts, equations and R² are those of all rows, but where hardly anything decides.
void expect_same(const Source& source, std::size_t sample, Order order) {
  const UffsResult all = run(source, every_row, order);
  const UffsResult some = run(source, sample, order);
  ASSERT_TRUE(std::any_of(some.stages.begin(), some.stages.end(), [&](const StageReport& stage) {
    return stage.sample > 0 && stage.sample < source.rows();
  }));
  for (std::size_t j = 0; j < source.schema().features.size(); ++j) {
    const RemovedFeature* wanted = removed(all, j);
    const RemovedFeature* found = removed(some, j);
    if (near_epsilon(left_of(all, j)) || near_epsilon(left_of(some, j))) return;
    ASSERT_EQ(wanted == nullptr, found == nullptr)
        << "feature " << j << ", left " << left_of(all, j) << " and " << left_of(some, j);
    if (wanted == nullptr) continue;
    EXPECT_EQ(wanted->stage, found->stage);
    // Of equations that are as good as each other, few rows may bring another.
    ASSERT_EQ(wanted->equations.size(), found->equations.size());
    for (std::size_t e = 0; e < wanted->equations.size(); ++e) {
      EXPECT_NEAR(wanted->equations[e].r2, found->equations[e].r2, 2e-4);
      EXPECT_NEAR(found->norm * found->norm, 1 - found->equations[e].r2_fit, 2e-4);
    }
  }
}

std::vector<double> standard(std::vector<double> values) {
  double mean = 0;
  double squares = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (double& value : values) {
    value -= mean;
    squares += value * value / static_cast<double>(values.size());
  }
  for (double& value : values) value /= std::sqrt(squares);
  return values;
}

// Independent columns, and functions of them with noise of every strength around threshold.
Columns planted(std::uint64_t seed, std::size_t rows) {
  Random random(seed);
  Columns columns{random.normals(rows), random.signs(rows), random.signs(rows, 0.03),
                  random.normals(rows), random.normals(rows)};
  for (double& value : columns[4]) value = std::exp(0.7 * value);
  for (int k = 0; k < 4; ++k) {
    const std::size_t a = random.below(5);
    const std::size_t b = (a + 1 + random.below(4)) % 5;
    std::vector<double> clean(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      clean[i] = k % 2 == 0 ? columns[a][i] - 0.5 * columns[b][i] : columns[a][i] * columns[b][i];
    }
    clean = standard(std::move(clean));
    const double norm =
        random.below(5) == 0 ? 0 : threshold * std::exp(1.6 * random.uniform() - 0.8);
    const std::vector<double> noise = standard(random.normals(rows));
    for (std::size_t i = 0; i < rows; ++i) {
      clean[i] = std::sqrt(1 - norm * norm) * clean[i] + norm * noise[i];
    }
    columns.push_back(std::move(clean));
  }
  return columns;
}

class PlantedRelations : public ::testing::TestWithParam<int> {};

TEST_P(PlantedRelations, AreDecidedAsOnAllRows) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  expect_same(table(planted(seed, 3000)), 250 + 100 * (seed % 4), Order::input);
  expect_same(table(planted(seed + 100, 2000)), 300, Order::automatic);
}

INSTANTIATE_TEST_SUITE_P(Seeds, PlantedRelations, ::testing::Range(0, 8));

TEST(SampledUffs, WeightsAreThoseOfTheTable) {
  Random random(5);
  std::vector<double> weights(3000);
  for (double& weight : weights) weight = random.below(6) == 0 ? 0 : 0.5 + random.uniform();
  const MemorySource plain = table(planted(3, 3000));
  expect_same(WeightedSource(plain, weights), 300, Order::input);
}

// y = a·b in the rows of the sample and nowhere else.
TEST(SampledUffs, WhatOnlyTheSampleSaysIsTakenBack) {
  constexpr std::size_t rows = 4000;
  Random random(1);
  Columns columns{random.normals(rows), random.signs(rows), random.normals(rows)};
  for (double& value : columns[0]) value = 2 + std::tanh(value);
  for (double& value : columns[2]) value = std::tanh(value);
  for (const std::size_t i : sampled_rows(rows, 400, 0)) {
    columns[2][i] = columns[0][i] * columns[1][i] / 2;
  }
  const MemorySource source = table(columns);
  NoProgress progress;
  const Design design = make_design(source, progress);
  ASSERT_EQ(telling_sample(source, design, 400, 0, progress)->rows(), 400U);
  const UffsResult result = run(source, 400);
  EXPECT_EQ(result.selected.size(), 3U);
  EXPECT_EQ(result.stages[1].sample, 400U);
}

TEST(SampledUffs, WhatIsConstantInTheSampleStays) {
  constexpr std::size_t rows = 4000;
  Random random(2);
  Columns columns{random.signs(rows), random.signs(rows), random.signs(rows)};
  for (const std::size_t i : sampled_rows(rows, 400, 0)) columns[1][i] = 1;
  const UffsResult result = run(table(columns), 400);
  ASSERT_EQ(result.selected.size(), 3U);
  EXPECT_TRUE(result.selected[1].undecided);
  EXPECT_FALSE(result.selected[0].undecided);
}

TEST(SampledUffs, RareFlagsAndLevelsAreSeen) {
  constexpr std::size_t rows = 20000;
  Random random(3);
  Columns columns{random.normals(rows), random.signs(rows, 0.002), {}, random.codes(rows, 2), {}};
  for (std::size_t i = 0; i < rows; ++i) {
    if (i % 500 == 7) columns[3][i] = 2;  // a level of 40 rows
    columns[2].push_back(3 * columns[1][i] + 1);
    columns[4].push_back(columns[3][i] == 2 ? 5 : 0);
  }
  const MemorySource source = table(columns, {0, 0, 0, 3, 0});
  expect_same(source, 400, Order::input);
  expect_same(source, 400, Order::automatic);
  EXPECT_NE(removed(run(source, 400), 2), nullptr);
  EXPECT_NE(removed(run(source, 400), 4), nullptr);
}

TEST(SampledUffs, ASampleAsLargeAsTheTableIsTheTable) {
  const MemorySource source = table(planted(8, 500));
  const UffsResult result = run(source, 500);
  EXPECT_EQ(result.stages[0].sample, 0U);
}

// 20 of 40 columns have 1351 products up to depth 3: on 60000 rows that is more work than a sample
// and its check.
TEST(SampledUffs, LongWorkIsPreparedOnASampleOfFewRows) {
  constexpr std::size_t rows = 60000;
  Random random(9);
  Columns columns(40);
  for (std::vector<double>& column : columns) column = random.normals(rows);
  for (std::size_t i = 0; i < rows; ++i) columns[7][i] = columns[3][i] * columns[5][i];
  const MemorySource source = table(columns);
  UffsOptions options;
  options.order = Order::input;
  options.stages = {{1, 0}, {3, 20}};
  NoProgress progress;
  const UffsResult result = uffs(source, options, progress);
  EXPECT_EQ(result.stages[0].sample, 0U);
  EXPECT_GT(result.stages[1].sample, 2000U);
  EXPECT_LT(result.stages[1].sample, rows / 10);
  ASSERT_EQ(result.removed.size(), 1U);
  EXPECT_EQ(result.removed[0].feature, 7U);
}

// The rules of the papers have no correction for the rows.
TEST(SampledUffs, TheRulesOfThePapersUseAllRows) {
  UffsOptions options = on(300);
  options.rule = Rule::paper;
  NoProgress progress;
  EXPECT_EQ(uffs(table(planted(8, 2000)), options, progress).stages[1].sample, 0U);
}

class TellingSample : public ::testing::Test {
 protected:
  static std::unique_ptr<MemorySource> drawn(const Source& source, std::size_t size,
                                             std::uint64_t seed = 0) {
    NoProgress progress;
    return telling_sample(source, make_design(source, progress), size, seed, progress);
  }
};

TEST_F(TellingSample, IsThePlainOneWhereNoRowSticksOut) {
  Random random(1);
  const MemorySource source = table({random.signs(5000), random.signs(5000)});
  NoProgress progress;
  const auto plain = sampled_table(source, 500, 7, progress);
  const auto telling = drawn(source, 500, 7);
  EXPECT_TRUE(telling->weights().empty());
  EXPECT_TRUE(std::equal(plain->in_memory().begin(), plain->in_memory().end(),
                         telling->in_memory().begin(), telling->in_memory().end()));
}

// Rows of a rare value are drawn more often and weigh less: sums stay what they are.
TEST_F(TellingSample, HoldsRareRowsAndWeighsThem) {
  constexpr std::size_t rows = 100000;
  constexpr std::size_t rare = 300;
  std::vector<double> flag(rows);
  for (std::size_t i = 0; i < rare; ++i) flag[i * (rows / rare)] = 1;
  flag[17] = 0;
  const auto sample = drawn(table({flag}), 1000);
  double rare_weight = 0;
  double weight = 0;
  std::size_t seen = 0;
  for (std::size_t i = 0; i < sample->rows(); ++i) {
    weight += sample->weights()[i];
    if (sample->in_memory()[i] == 0) continue;
    ++seen;
    rare_weight += sample->weights()[i];
  }
  EXPECT_GT(seen, 40U);
  EXPECT_LT(seen, 90U);
  EXPECT_NEAR(weight, 1000, 20);
  EXPECT_NEAR(rare_weight, 3, 1.2);
}

TEST_F(TellingSample, TheOneRowThatCarriesAColumnIsAlwaysInIt) {
  std::vector<double> values(5000);
  values[1234] = 1;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto sample = drawn(table({values}), 200, seed);
    EXPECT_EQ(std::count(sample->in_memory().begin(), sample->in_memory().end(), 1.0), 1);
  }
}

TEST_F(TellingSample, RowsWithoutWeightAreNotDrawn) {
  Random random(4);
  const MemorySource plain = table({random.normals(4000)});
  std::vector<double> weights(4000);
  for (std::size_t i = 0; i < weights.size(); i += 3) weights[i] = 1 + static_cast<double>(i % 5);
  const auto sample = drawn(WeightedSource(plain, weights), 300);
  for (const double weight : sample->weights()) EXPECT_GT(weight, 0);
}

}  // namespace
}  // namespace fsieve
