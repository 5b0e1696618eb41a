// Cross-validation of a selection: how rows are dealt, the model, and what its scores say. The
// command line tests have a twin of the whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "fsieve/error.h"
#include "fsieve/stop.h"
#include "measure/held_out.h"
#include "measure/held_out_scores.h"
#include "measure/kernel_ridge.h"
#include "measure/validation.h"
#include "supervised_tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::Random;

testing::Loaded two_classes(std::size_t rows, std::uint64_t seed, double rare = 0.5) {
  Random random(seed);
  const Columns columns{random.normals(rows), random.signs(rows)};
  return testing::load(columns, random.signs(rows, rare), Task::classification);
}

TEST(HeldOut, EveryPartHasItsShareOfEveryClass) {
  const auto loaded = two_classes(103, 1, 0.3);
  const Label& label = loaded.data.label;
  const HeldOut held = RowDealer(*loaded.source, label).deal(5, 1000, 0);
  std::map<std::pair<std::size_t, std::size_t>, int> count;
  for (std::size_t i = 0; i < label.rows; ++i) ++count[{held.part_of[i], label.codes[i]}];
  for (std::size_t c = 0; c < 2; ++c) {
    std::vector<int> counts;
    for (std::size_t part = 0; part < 5; ++part) counts.push_back(count[{part, c}]);
    const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    EXPECT_LE(*most - *least, 1) << c;
  }
}

TEST(HeldOut, EqualRowsStayTogetherAndTheirOrderDoesNotMatter) {
  Random random(2);
  Columns columns{random.codes(90, 3), random.codes(90, 4)};
  std::vector<double> y = random.codes(90, 3);
  const auto loaded = testing::load(columns, y, Task::classification);
  const HeldOut held = RowDealer(*loaded.source, loaded.data.label).deal(4, 1000, 7);
  std::map<std::vector<double>, std::size_t> part;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::vector<double> row{columns[0][i], columns[1][i], y[i]};
    EXPECT_EQ(part.emplace(row, held.part_of[i]).first->second, held.part_of[i]);
  }
  for (auto* column : {&columns[0], &columns[1], &y}) std::reverse(column->begin(), column->end());
  const auto turned = testing::load(columns, y, Task::classification);
  const HeldOut again = RowDealer(*turned.source, turned.data.label).deal(4, 1000, 7);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(again.part_of[89 - i], held.part_of[i]);
}

TEST(HeldOut, UnitsDoNotMatter) {
  Random random(9);
  Columns columns{random.normals(120), random.codes(120, 5)};
  std::vector<double> y = random.normals(120);
  const auto loaded = testing::load(columns, y, Task::regression);
  const HeldOut held = RowDealer(*loaded.source, loaded.data.label).deal(5, 100, 3);
  for (double& value : columns[0]) value = 32 + 1.8 * value;
  for (double& value : columns[1]) value *= 2.54;
  for (double& value : y) value /= 0.45359237;
  const auto converted = testing::load(columns, y, Task::regression);
  const HeldOut again = RowDealer(*converted.source, converted.data.label).deal(5, 100, 3);
  EXPECT_EQ(again.part_of, held.part_of);
  EXPECT_EQ(again.place, held.place);
}

// A height is a depth that counts the other way.
TEST(HeldOut, WhichWayNumbersCountDoesNotMatter) {
  Random random(10);
  for (const Task task : {Task::regression, Task::classification}) {
    Columns columns{random.normals(120), random.normals(120)};
    for (double& value : columns[0]) value = std::round(20 * std::exp(value));  // some are equal
    for (double& value : columns[1]) value = std::exp(value);
    std::vector<double> y = random.codes(120, 3);
    const auto loaded = testing::load(columns, y, task);
    const HeldOut held = RowDealer(*loaded.source, loaded.data.label).deal(5, 100, 3);
    for (auto& column : columns) {
      for (double& value : column) value = 100 - value;
    }
    const auto turned = testing::load(columns, y, task);
    const HeldOut again = RowDealer(*turned.source, turned.data.label).deal(5, 100, 3);
    EXPECT_EQ(again.part_of, held.part_of);
    EXPECT_EQ(again.place, held.place);
  }
}

// Of millions of rows the order alone takes seconds.
TEST(HeldOut, DealingStopsWhenAsked) {
  const auto loaded = two_classes(50, 3);
  const RowDealer dealer(*loaded.source, loaded.data.label);
  StopFlag flag;
  const StopScope scope(flag);
  EXPECT_EQ(dealer.deal(5, 1000, 0).parts, 5U);
  flag.ask();
  EXPECT_THROW((void)dealer.deal(5, 1000, 0), Error);
}

TEST(HeldOut, ASeedDealsAnewAndManyRowsAreSampled) {
  const auto loaded = two_classes(1000, 3);
  const Label& label = loaded.data.label;
  const HeldOut one = RowDealer(*loaded.source, label).deal(5, 5000, 0);
  EXPECT_NE(one.part_of, RowDealer(*loaded.source, label).deal(5, 5000, 1).part_of);
  const HeldOut some = RowDealer(*loaded.source, label).deal(5, 250, 0);
  EXPECT_EQ(std::count(some.part_of.begin(), some.part_of.end(), HeldOut::nowhere), 750);
  EXPECT_EQ(some.rows(2).size() + some.other_rows(2).size(), 250U);
}

TEST(HeldOut, NumbersAreSpreadBySize) {
  Random random(4);
  const std::vector<double> y = random.normals(100);
  const auto loaded = testing::load({random.normals(100)}, y, Task::regression);
  const HeldOut held = RowDealer(*loaded.source, loaded.data.label).deal(5, 1000, 0);
  std::vector<std::size_t> order(100);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return y[a] < y[b]; });
  for (std::size_t k = 0; k < 100; k += 5) {
    std::set<std::size_t> parts;
    for (std::size_t i = k; i < k + 5; ++i) parts.insert(held.part_of[order[i]]);
    EXPECT_EQ(parts.size(), 5U);
  }
}

// Columns and classes may stand in any order, and bear any name.
TEST(HeldOut, WhichRowsGoTogetherDependsOnWhatTheyHoldAlone) {
  Random random(6);
  Columns columns;
  for (std::size_t c = 0; c < 5; ++c) columns.push_back(random.normals(120));
  columns.push_back(random.codes(120, 4));
  const std::vector<double> y = random.codes(120, 3);
  const auto loaded = testing::load(columns, y, Task::classification);
  const HeldOut held = RowDealer(*loaded.source, loaded.data.label).deal(5, 1000, 3);

  Columns turned(columns.rbegin(), columns.rend());
  std::vector<double> other_names = y;
  for (double& name : other_names) name = 7 - 2 * name;
  const auto again = testing::load(turned, other_names, Task::classification);
  EXPECT_EQ(RowDealer(*again.source, again.data.label).deal(5, 1000, 3).part_of, held.part_of);
}

TEST(HeldOut, AColumnThatTellsLittleMovesNoRow) {
  Random random(7);
  for (const Task task : {Task::classification, Task::regression}) {
    const std::vector<double> told = random.normals(150);
    std::vector<double> y = told;
    if (task == Task::classification) {
      for (double& value : y) value = value > 0 ? 1 : 0;
    }
    const Columns columns{told, random.normals(150)};
    const auto loaded = testing::load(columns, y, task);
    const HeldOut held = RowDealer(*loaded.source, loaded.data.label).deal(5, 1000, 3);
    const auto more = testing::load({random.normals(150), columns[0], columns[1]}, y, task);
    EXPECT_EQ(RowDealer(*more.source, more.data.label).deal(5, 1000, 3).part_of, held.part_of);
  }
}

// A straight line, a curve and an exclusive-or: one model for all.
TEST(KernelRidge, PredictsLinesCurvesAndInteractions) {
  Random random(5);
  constexpr std::size_t n = 400;
  const auto a = random.normals(n);
  const auto b = random.normals(n);
  const auto noise = random.normals(n);
  for (int kind = 0; kind < 3; ++kind) {
    Label label;
    label.classification = false;
    label.rows = n / 2;
    label.weight = n / 2;
    std::vector<double> y(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double signal = kind == 0 ? a[i] : kind == 1 ? a[i] * a[i] : a[i] * b[i];
      y[i] = 10 + signal + 0.1 * noise[i];
    }
    label.numbers.assign(y.begin(), y.begin() + n / 2);
    std::vector<std::size_t> centres(100);
    std::iota(centres.begin(), centres.end(), std::size_t{0});
    KernelRidge model(label, centres, n / 2);
    for (const auto* column : {&a, &b}) {
      model.add({column->begin(), column->begin() + n / 2},
                {column->begin() + n / 2, column->end()});
    }
    const std::vector<double> predicted = model.predict();
    double left = 0;
    double total = 0;
    for (std::size_t i = 0; i < n / 2; ++i) {
      left += std::pow(y[n / 2 + i] - predicted[i], 2);
      total += std::pow(y[n / 2 + i] - 10, 2);
    }
    EXPECT_LT(left / total, 0.15) << kind;
  }
}

TEST(KernelRidge, WithoutColumnsPredictsTheMean) {
  Label label;
  label.classification = false;
  label.rows = 4;
  label.numbers = {1, 2, 3, 10};
  label.weights = {1, 1, 1, 3};
  label.weight = 6;
  EXPECT_THAT(KernelRidge(label, {0, 1}, 2).predict(), ::testing::ElementsAre(6, 6));
}

// Scores made by hand; the two parts are the first two rows and the last two.
TEST(HeldOutScores, TheSmallestOfThoseThatAreAsGoodIsChosen) {
  Label label;
  label.classification = false;
  label.rows = 4;
  label.weight = 4;
  label.numbers = {0, 0, 0, 0};
  const auto choice = [&](std::vector<std::vector<double>> losses) {
    DealScores deal;
    deal.held.parts = 2;
    deal.held.part_of = {0, 0, 1, 1};
    deal.hits.assign(losses.size(), std::vector<double>(4, 0.0));
    deal.losses = std::move(losses);
    std::vector<std::size_t> sizes(deal.losses.size());
    std::iota(sizes.begin(), sizes.end(), std::size_t{0});
    return HeldOutScores(label, sizes, {deal}).choice();
  };
  EXPECT_EQ(choice({{4, 4, 4, 4}, {5, 5, 2, 2}}), 0U);
  EXPECT_EQ(choice({{4, 4, 4, 4}, {1, 2, 1, 2}}), 1U);
  EXPECT_EQ(choice({{4, 4, 4, 4}, {1, 2, 1, 2}, {1, 2, 1, 2}}), 1U);
  EXPECT_EQ(choice({{4, 4, 4, 4}, {3, 3, 3, 3}, {1, 2, 1, 2}}), 2U);
  EXPECT_EQ(choice({{9, 9, 9, 9}, {3, 3, 3, 3}, {3, 4, 1, 1}}), 2U);
  EXPECT_EQ(choice({{9, 9, 9, 9}, {3, 3, 3, 3}, {4, 5, 1, 1}}), 1U);
}

// Two of five parts have the 70 rows; the others are learned from all the same, and the score of
// the feature that is the label is that of the rows held out, not diluted by rows that nobody
// predicted.
TEST(Validation, HoldsOutAsManyRowsAsAreEnough) {
  Random random(5);
  const std::vector<double> y = random.signs(200);
  const auto loaded = testing::load({random.normals(200), y}, y, Task::classification);
  ValidationPlan plan;
  plan.sizes = {0, 1};
  plan.enough_rows = 70;
  plan.memory = std::size_t{1} << 30U;
  std::atomic<int> searches = 0;
  NoProgress quiet;
  const auto search = [&](const SupervisedData& data) {
    ++searches;
    EXPECT_EQ(data.rows(), 160U);
    return FoundFeatures{{1}};
  };
  const auto scores = cross_validate(loaded.data, search, plan, quiet);
  ASSERT_TRUE(scores);
  EXPECT_EQ(searches, 2);
  EXPECT_EQ(scores->point(1).score, 1);
  EXPECT_NEAR(scores->point(0).score, 0.5, 0.2);
}

TEST(Validation, PathHasAllSmallSizesThenLargerSteps) {
  EXPECT_THAT(path_sizes(3), ::testing::ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(path_sizes(20), ::testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
                                                     14, 15, 16, 18, 20));
  EXPECT_THAT(path_sizes(0), ::testing::ElementsAre(0));
  EXPECT_LT(path_sizes(1000).size(), 60U);
}

}  // namespace
}  // namespace fsieve
