// UFFS whose groups are tried first, on some rows or in single precision: the verdicts and
// equations are those of all rows in full precision. A file of its own: such tables are too large
// for a debug build.
#include <gtest/gtest.h>

#include <utility>

#include "fsieve/uffs.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::Random;
using testing::table;

const RemovedFeature* gone_by(const UffsResult& result, std::size_t feature) {
  for (const RemovedFeature& entry : result.removed) {
    if (entry.feature == feature) return &entry;
  }
  return nullptr;
}

// 60 columns in one group of products of two: enough work that some rows tell first whether the
// group explains anything.
UffsResult run_screened(const Source& source, std::size_t sample) {
  NoProgress progress;
  UffsOptions options;
  options.order = Order::input;
  options.stages = {{2, 60}};
  options.sample = sample;
  return uffs(source, options, progress);
}

struct Both {
  UffsResult all;
  UffsResult screened;
};

Both with_and_without_trials(const Source& source, UffsOptions options) {
  NoProgress progress;
  options.sample = every_row;
  UffsResult all = uffs(source, options, progress);
  options.sample = automatic_sample;
  return {std::move(all), uffs(source, options, progress)};
}

Columns independent_columns(std::size_t rows, std::size_t columns) {
  Random random(5);
  Columns values;
  for (std::size_t j = 0; j < columns; ++j) values.push_back(random.normals(rows));
  return values;
}

TEST(ScreenedUffs, SomeRowsDecideOnAGroupThatExplainsNothing) {
  const MemorySource source = table(independent_columns(6000, 60));
  const UffsResult all = run_screened(source, every_row);
  const UffsResult screened = run_screened(source, automatic_sample);
  EXPECT_EQ(all.stages[0].sample, 0U);
  EXPECT_GT(screened.stages[0].sample, 0U);
  EXPECT_LT(screened.stages[0].sample, 3000U);
  EXPECT_EQ(all.stages[0].parities, screened.stages[0].parities);
  ASSERT_EQ(screened.selected.size(), 60U);
  for (std::size_t j = 0; j < 60; ++j) {
    EXPECT_NEAR(all.selected[j].norm, screened.selected[j].norm, 0.12 * all.selected[j].norm);
  }
}

// The last columns are products and noise, which leaves just less than epsilon of the first of them
// and just more of the second; of the third one row holds all that is left.
TEST(ScreenedUffs, AllRowsDecideOnAGroupThatMayExplainSomething) {
  Columns columns = independent_columns(6000, 60);
  for (std::size_t i = 0; i < 6000; ++i) {
    columns[57][i] = columns[3][i] * columns[7][i] + 0.095 * columns[57][i];
    columns[58][i] = columns[2][i] * columns[8][i] + 0.105 * columns[58][i];
    columns[59][i] = columns[1][i] * columns[9][i];
  }
  columns[59][17] += 6;
  const MemorySource source = table(columns);
  const UffsResult all = run_screened(source, every_row);
  const UffsResult screened = run_screened(source, automatic_sample);
  EXPECT_EQ(screened.stages[0].sample, 0U);
  ASSERT_NE(gone_by(all, 57), nullptr);
  ASSERT_EQ(gone_by(all, 58), nullptr);
  for (std::size_t j = 0; j < 60; ++j) {
    ASSERT_EQ(gone_by(all, j) == nullptr, gone_by(screened, j) == nullptr) << j;
    if (gone_by(all, j) == nullptr) continue;
    EXPECT_EQ(gone_by(screened, j)->norm, gone_by(all, j)->norm);
    EXPECT_EQ(gone_by(screened, j)->equations[0].r2, gone_by(all, j)->equations[0].r2);
  }
}

// Many columns, small groups: those that a group may explain are told in single precision, and
// these alone are tested again. A member of the first group goes, which makes it another group;
// later ones explain a column and nearly another.
TEST(ScreenedUffs, OnlyFeaturesInDoubtAreTestedAgain) {
  Columns columns = independent_columns(4000, 600);
  for (std::size_t i = 0; i < 4000; ++i) {
    columns[9][i] = columns[1][i] * columns[2][i] + 0.05 * columns[9][i];
    columns[599][i] = columns[100][i] * columns[101][i] + 0.05 * columns[599][i];
    columns[300][i] = columns[100][i] * columns[102][i] + 0.15 * columns[300][i];
  }
  const MemorySource source = table(columns);
  UffsOptions options;
  options.order = Order::input;
  options.stages = {{2, 15}};
  const auto [all, screened] = with_and_without_trials(source, options);
  EXPECT_GT(screened.stages[0].sample, 0U);
  ASSERT_EQ(all.removed.size(), 2U);
  ASSERT_EQ(screened.removed.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(screened.removed[k].feature, all.removed[k].feature);
    EXPECT_NEAR(screened.removed[k].norm, all.removed[k].norm, 1e-9);
    EXPECT_EQ(screened.removed[k].equations[0].r2, all.removed[k].equations[0].r2);
  }
  ASSERT_EQ(screened.selected[299].feature, 300U);
  EXPECT_NEAR(screened.selected[299].norm, all.selected[299].norm, 0.01);
}

// Categories with levels that no row of a sample has: a feature that is a table of two others goes
// all the same, the others stay, and most groups are decided on some rows.
TEST(ScreenedUffs, RareLevelsAreNoReasonToUseAllRows) {
  constexpr std::size_t rows = 6000;
  Random random(8);
  Columns columns;
  for (std::size_t j = 0; j < 24; ++j) {
    columns.push_back(random.codes(rows, 6));
    columns.back()[31 * j] = 6;  // in one row
  }
  for (std::size_t i = 0; i < rows; ++i) {
    columns[23][i] = columns[0][i] == 2 && columns[9][i] < 3 ? 1 : 0;
  }
  std::vector<std::size_t> levels(24, 7);
  levels.back() = 2;
  const MemorySource source = table(columns, levels);
  UffsOptions options;
  options.stages = {{2, 8}};
  const auto [all, screened] = with_and_without_trials(source, options);
  EXPECT_GT(screened.stages[0].sample, 0U);
  ASSERT_EQ(all.removed.size(), 1U);
  EXPECT_EQ(all.removed[0].feature, 23U);
  ASSERT_EQ(screened.removed.size(), 1U);
  EXPECT_EQ(screened.removed[0].feature, 23U);
}

// With a small epsilon rounding to single precision alone leaves several epsilon of what products
// explain: that is no reason to keep it. Tables of two others among categories, and products of
// numbers.
TEST(ScreenedUffs, RoundingIsNotTakenForWhatIsLeft) {
  UffsOptions options;
  options.order = Order::input;
  options.stages = {{2, 15}};
  options.epsilon = {1e-5};
  Random random(10);
  constexpr std::size_t rows = 6000;
  constexpr std::size_t planted = 8;
  Columns codes;
  for (std::size_t j = 0; j < 40 + planted; ++j) codes.push_back(random.codes(rows, 4));
  for (std::size_t k = 0; k < planted; ++k) {
    for (std::size_t i = 0; i < rows; ++i) {
      codes[40 + k][i] = codes[k][i] * codes[k + 2][i] > 2 + 0.5 * static_cast<double>(k) ? 1 : 0;
    }
  }
  std::vector<std::size_t> levels(40, 4);
  levels.resize(40 + planted, 2);
  Columns numbers = independent_columns(4000, 600);
  for (std::size_t k = 0; k < planted; ++k) {
    numbers[590 + k] = testing::product(numbers[k], numbers[k + 2]);
  }
  for (const MemorySource& source : {table(codes, levels), table(numbers)}) {
    const auto [all, screened] = with_and_without_trials(source, options);
    EXPECT_EQ(all.removed.size(), planted);
    EXPECT_EQ(screened.removed.size(), planted);
  }
}

// Groups of three categories: the rows that share all their levels tell that they explain nothing,
// but for the last one, which is a table of three members of a group.
TEST(ScreenedUffs, CellsDecideOnGroupsOfCategories) {
  constexpr std::size_t rows = 6000;
  Random random(9);
  Columns columns;
  for (std::size_t j = 0; j < 40; ++j) columns.push_back(random.codes(rows, 8));
  for (std::size_t i = 0; i < rows; ++i) {
    const auto cell = static_cast<std::size_t>(columns[3][i] + columns[4][i] * 3 + columns[5][i]);
    columns[39][i] = static_cast<double>(cell * cell % 5 % 3);
  }
  std::vector<std::size_t> levels(40, 8);
  levels.back() = 3;
  const MemorySource source = table(columns, levels);
  UffsOptions options;
  options.order = Order::input;
  options.stages = {{3, 3}};
  const auto [all, screened] = with_and_without_trials(source, options);
  EXPECT_EQ(screened.stages[0].sample, 0U);
  EXPECT_EQ(screened.stages[0].groups, all.stages[0].groups);
  EXPECT_EQ(screened.stages[0].parities, all.stages[0].parities);
  ASSERT_EQ(all.removed.size(), 1U);
  ASSERT_EQ(screened.removed.size(), 1U);
  EXPECT_EQ(screened.removed[0].feature, 39U);
  EXPECT_EQ(screened.removed[0].equations.size(), all.removed[0].equations.size());
  ASSERT_EQ(screened.selected.size(), 39U);
  EXPECT_TRUE(screened.selected[2].estimated);  // decided by the first group
  for (std::size_t j = 0; j < 39; ++j) {
    EXPECT_NEAR(*screened.selected[j].adjusted_norm, *all.selected[j].adjusted_norm, 0.02);
  }
}

}  // namespace
}  // namespace fsieve
