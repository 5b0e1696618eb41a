// The gram engine with its matrices on a device, here the stand-in (tests/device), which adds up in
// another order than the CPU: the same features, verdicts and equations, numbers but for rounding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "device/algebra.h"
#include "fsieve/error.h"
#include "fsieve/gfs.h"
#include "fsieve/uffs.h"
#include "span/device_wave.h"
#include "span/products.h"
#include "unit/notes.h"
#include "unit/standin.h"
#include "unit/tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using ::testing::HasSubstr;
using testing::Notes;
using testing::StandIn;

const Device on_cpu{Device::Kind::cpu, std::nullopt};
const Device on_device{Device::Kind::cuda, std::nullopt};

// Columns of their own, and behind them a copy, a sum and products of two and three.
Columns related(std::size_t rows, std::size_t own, std::uint64_t seed) {
  testing::Random random(seed);
  Columns columns;
  for (std::size_t j = 0; j < own; ++j) columns.push_back(random.normals(rows));
  columns.push_back(testing::sum(2, columns[0], -1, columns[1]));
  columns.push_back(testing::product(columns[1], columns[2]));
  columns.push_back(testing::product(testing::product(columns[0], columns[2]), columns[3]));
  columns.push_back(testing::sum(1, columns[2], 0.05, random.normals(rows)));
  columns.push_back(random.normals(rows));
  return columns;
}

MemorySource weighted(const Columns& columns, std::uint64_t seed) {
  const MemorySource plain = testing::table(columns);
  testing::Random random(seed);
  std::vector<double> weights(plain.rows());
  for (double& weight : weights) weight = static_cast<double>(random.below(4)) / 2;
  const auto values = plain.in_memory();
  return {plain.schema(), {values.begin(), values.end()}, plain.rows(), std::move(weights)};
}

void expect_same(const UffsResult& a, const UffsResult& b) {
  ASSERT_EQ(a.selected.size(), b.selected.size());
  ASSERT_EQ(a.removed.size(), b.removed.size());
  for (std::size_t i = 0; i < a.selected.size(); ++i) {
    EXPECT_EQ(a.selected[i].feature, b.selected[i].feature);
    EXPECT_NEAR(a.selected[i].norm, b.selected[i].norm, 1e-9);
    EXPECT_EQ(a.selected[i].undecided, b.selected[i].undecided);
  }
  for (std::size_t i = 0; i < a.removed.size(); ++i) {
    EXPECT_EQ(a.removed[i].feature, b.removed[i].feature);
    EXPECT_EQ(a.removed[i].reason, b.removed[i].reason);
    ASSERT_EQ(a.removed[i].equations.size(), b.removed[i].equations.size());
    for (std::size_t e = 0; e < a.removed[i].equations.size(); ++e) {
      const Equation& one = a.removed[i].equations[e];
      const Equation& other = b.removed[i].equations[e];
      ASSERT_EQ(one.terms.size(), other.terms.size());
      for (std::size_t t = 0; t < one.terms.size(); ++t) {
        EXPECT_EQ(one.terms[t].factors, other.terms[t].factors);
        EXPECT_NEAR(one.terms[t].coefficient, other.terms[t].coefficient, 1e-9);
      }
    }
  }
  ASSERT_EQ(a.stages.size(), b.stages.size());
  for (std::size_t i = 0; i < a.stages.size(); ++i) {
    EXPECT_EQ(a.stages[i].parities, b.stages[i].parities);
    EXPECT_EQ(a.stages[i].groups, b.stages[i].groups);
  }
}

UffsOptions options_of(int depth, std::size_t group, const Device& device) {
  UffsOptions options;
  options.order = Order::input;
  options.stages = {{1, 0}, {depth, group}};
  options.engine = Engine::gram;
  options.device = device;
  return options;
}

TEST(DeviceAlgebra, InnerProductsAreThoseOfTheCpu) {
  const StandIn standin{};
  const MemorySource source = weighted(related(700, 5, 3), 4);
  NoProgress progress;
  const Design design = make_design(source, progress);
  std::vector<Parity> old_parities{Parity(), Parity().times(0)};
  std::vector<Parity> new_parities{Parity().times(1), Parity().times(0).times(1),
                                   Parity().times(1).times(2).times(3)};
  const std::vector<std::size_t> singles{4, 6};
  DeviceTable table(open_accelerator(on_device, 0), source, design);
  // Twice: the second time the rows are there.
  for (int turn = 0; turn < 2; ++turn) {
    DeviceWave wave(table, old_parities, new_parities, singles, progress);
    const std::vector<double> squares = wave.squares();
    wave.fetch();
    const Buffer expected =
        Products(source, design)
            .inner(old_parities, new_parities, singles, progress, Counting::allowed);
    for (std::size_t q = 0; q < 3; ++q) {
      for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_NEAR(wave.on_old(q, k), expected.data()[k + q * 7], 1e-12);
      }
      for (std::size_t row = q; row < 5; ++row) {
        EXPECT_NEAR(wave.on_new(row, q), expected.data()[2 + row + q * 7], 1e-12);
      }
      EXPECT_EQ(squares[q], wave.on_new(q, q));
    }
  }
}

TEST(DeviceAlgebra, TheSameFeaturesVerdictsAndEquations) {
  Notes notes;
  const StandIn standin{{"FSIEVE_STANDIN_NOTES", notes.path()}};
  NoProgress progress;
  for (const int depth : {2, 3}) {
    for (const bool weights : {false, true}) {
      const Columns columns = related(600, 7, 10 + static_cast<std::uint64_t>(depth));
      const MemorySource source = weights ? weighted(columns, 5) : testing::table(columns);
      for (const Rule rule : {Rule::adjusted, Rule::paper}) {
        UffsOptions options = options_of(depth, 5, on_cpu);
        options.rule = rule;
        const UffsResult alone = uffs(source, options, progress);
        options.device = on_device;
        const std::size_t before = notes.count("gemm");
        expect_same(uffs(source, options, progress), alone);
        EXPECT_GT(notes.count("gemm"), before);
      }
    }
  }
}

// A device without room for all rows gets them again in every pass; one without room for a wave
// leaves it to the cores.
TEST(DeviceAlgebra, RowsThatDoNotFitAreCopiedInEveryPass) {
  NoProgress progress;
  const MemorySource source = testing::table(related(3000, 6, 21));
  const UffsResult alone = uffs(source, options_of(2, 4, on_cpu), progress);
  std::size_t puts[2];
  for (const bool fits : {true, false}) {
    Notes notes;
    const StandIn standin{{"FSIEVE_STANDIN_NOTES", notes.path()},
                          {"FSIEVE_STANDIN_NUMBERS", fits ? "10000000" : "130000"}};
    expect_same(uffs(source, options_of(2, 4, on_device), progress), alone);
    EXPECT_GT(notes.count("gemm"), 0U);
    puts[fits ? 0 : 1] = notes.count("put");
  }
  EXPECT_GT(puts[1], puts[0]);
  Notes notes;
  const StandIn standin{{"FSIEVE_STANDIN_NOTES", notes.path()}, {"FSIEVE_STANDIN_NUMBERS", "1000"}};
  expect_same(uffs(source, options_of(2, 4, on_device), progress), alone);
  EXPECT_EQ(notes.count("gemm"), 0U);
}

TEST(DeviceAlgebra, GreedyChoicesToo) {
  Notes notes;
  const StandIn standin{{"FSIEVE_STANDIN_NOTES", notes.path()}};
  NoProgress progress;
  const MemorySource source = testing::table(related(800, 6, 33));
  GfsOptions options;
  options.family.degree = 2;
  options.engine = Engine::gram;
  options.device = on_cpu;
  const GreedyChoice alone = gfs(source, options, progress);
  options.device = on_device;
  const GreedyChoice beside = gfs(source, options, progress);
  EXPECT_GT(notes.count("gemm"), 0U);
  ASSERT_EQ(beside.selected.size(), alone.selected.size());
  EXPECT_EQ(beside.functions, alone.functions);
  for (std::size_t i = 0; i < alone.selected.size(); ++i) {
    EXPECT_EQ(beside.selected[i].feature, alone.selected[i].feature);
    EXPECT_NEAR(beside.selected[i].variance_left, alone.selected[i].variance_left, 1e-9);
  }
  for (std::size_t i = 0; i < alone.trace.size(); ++i) {
    EXPECT_NEAR(beside.trace[i], alone.trace[i], 1e-9);
  }
}

TEST(DeviceAlgebra, SmallWorkIsLeftToTheCores) {
  Notes notes;
  const StandIn standin{{"FSIEVE_STANDIN_NOTES", notes.path()}};
  EXPECT_EQ(open_accelerator({}, 1e9), nullptr);
  EXPECT_NE(open_accelerator({}, 1e14), nullptr);
  EXPECT_EQ(open_accelerator(on_cpu, 1e14), nullptr);
  NoProgress progress;
  const MemorySource source = testing::table(related(300, 5, 2));
  static_cast<void>(uffs(source, options_of(3, 5, {}), progress));
  EXPECT_EQ(notes.count("algebra"), 1U);
}

TEST(DeviceAlgebra, FailuresAreOneSentence) {
  NoProgress progress;
  const MemorySource source = testing::table(related(300, 5, 2));
  for (const char* what : {"algebra", "take", "gemm"}) {
    const StandIn standin{{"FSIEVE_STANDIN_FAILS", what}};
    try {
      static_cast<void>(uffs(source, options_of(2, 4, on_device), progress));
      FAIL() << what;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("GPU 0: the stand-in was told to fail; --device cpu"));
    }
  }
  // A GPU that is only welcome is done without.
  const StandIn standin{{"FSIEVE_STANDIN_FAILS", "algebra"}};
  EXPECT_EQ(open_accelerator({}, 1e14), nullptr);
}

}  // namespace
}  // namespace fsieve
