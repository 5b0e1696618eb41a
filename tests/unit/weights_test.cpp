// Weights of rows: a whole number w must give what w equal rows give, to 1e-9.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fsieve/error.h"
#include "fsieve/uffs.h"
#include "weighted_tables.h"

namespace fsieve {
namespace {

using testing::digits;
using testing::Random;
using testing::random_table;
using testing::repeated;
using testing::Table;
using testing::weighted;

void expect_equal(const Equation& a, const Equation& b) {
  ASSERT_EQ(a.target, b.target);
  // Where a row decides its own prediction almost alone, this is a large negative number with few
  // digits.
  ASSERT_NEAR(a.r2, b.r2, digits * (1 + a.r2 * a.r2)) << to_text(a) << " or " << to_text(b);
  ASSERT_EQ(a.terms.size(), b.terms.size()) << to_text(a) << " or " << to_text(b);
  for (std::size_t k = 0; k < a.terms.size(); ++k) {
    ASSERT_EQ(a.terms[k].factors, b.terms[k].factors) << to_text(a) << " or " << to_text(b);
    const double size = std::max(1.0, std::abs(a.terms[k].coefficient));
    ASSERT_NEAR(a.terms[k].coefficient, b.terms[k].coefficient, digits * size);
  }
}

// Squares of norms are differences of squares to the gram engine: below about 1e-12 they are
// rounding.
double told(double norm) { return norm < 3e-6 ? 0 : norm; }

template <class Feature>
void expect_equal_norms(const Feature& a, const Feature& b) {
  ASSERT_EQ(a.feature, b.feature);
  ASSERT_NEAR(told(a.norm), told(b.norm), digits);
  ASSERT_EQ(a.adjusted_norm.has_value(), b.adjusted_norm.has_value());
  if (a.adjusted_norm) {
    ASSERT_NEAR(told(*a.adjusted_norm), told(*b.adjusted_norm), digits);
  }
}

void expect_equal(const UffsResult& a, const UffsResult& b) {
  ASSERT_EQ(a.selected.size(), b.selected.size());
  for (std::size_t k = 0; k < a.selected.size(); ++k) {
    expect_equal_norms(a.selected[k], b.selected[k]);
    ASSERT_EQ(a.selected[k].undecided, b.selected[k].undecided);
  }
  ASSERT_EQ(a.removed.size(), b.removed.size());
  for (std::size_t k = 0; k < a.removed.size(); ++k) {
    expect_equal_norms(a.removed[k], b.removed[k]);
    ASSERT_EQ(a.removed[k].stage, b.removed[k].stage);
    ASSERT_EQ(a.removed[k].reason, b.removed[k].reason);
    ASSERT_EQ(a.removed[k].equations.size(), b.removed[k].equations.size());
    for (std::size_t e = 0; e < a.removed[k].equations.size(); ++e) {
      expect_equal(a.removed[k].equations[e], b.removed[k].equations[e]);
    }
  }
  ASSERT_EQ(a.stages.size(), b.stages.size());
  for (std::size_t s = 0; s < a.stages.size(); ++s) {
    ASSERT_EQ(a.stages[s].stage.group_size, b.stages[s].stage.group_size);
    ASSERT_EQ(a.stages[s].kept, b.stages[s].kept);
    ASSERT_EQ(a.stages[s].groups, b.stages[s].groups);
    ASSERT_EQ(a.stages[s].parities, b.stages[s].parities);
  }
  ASSERT_EQ(a.warnings, b.warnings);
}

void compare(const Table& table, const UffsOptions& options) {
  NoProgress progress;
  expect_equal(uffs(weighted(table), options, progress), uffs(repeated(table), options, progress));
}

TEST(Weights, WholeOnesAreRepeatedRowsForUffs) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const Table table = random_table(seed);
    for (const Rule rule : {Rule::adjusted, Rule::paper, Rule::cumulative}) {
      for (const Engine engine : {Engine::gram, Engine::sample, Engine::automatic}) {
        for (int depth = 0; depth <= 3; ++depth) {
          UffsOptions options;
          options.order = Order::input;
          if (depth > 0) options.stages = {{depth, seed % 3 == 0 ? 3U : 0U}};
          options.rule = rule;
          options.engine = engine;
          if (seed % 4 == 0 && !testing::is_wide(seed)) options.order = Order::variance;
          if (rule == Rule::cumulative) options.share = {0.9};
          if (rule == Rule::paper) options.prune = seed % 2 == 0;
          SCOPED_TRACE(fmt::format("seed {} rule {} engine {} depth {}", seed,
                                   static_cast<int>(rule), static_cast<int>(engine), depth));
          compare(table, options);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(Weights, ThePaperRuleKnowsTheirRatiosOnly) {
  NoProgress progress;
  UffsOptions options;
  options.order = Order::input;
  options.stages = {{2, 0}};
  options.rule = Rule::paper;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    if (testing::is_wide(seed)) continue;  // norms in a full space are 0 whatever they are
    Table table = random_table(seed);
    const UffsResult whole = uffs(weighted(table), options, progress);
    for (double& weight : table.weights) weight *= 0.37;
    const UffsResult scaled = uffs(weighted(table), options, progress);
    ASSERT_EQ(whole.selected.size(), scaled.selected.size()) << "seed " << seed;
    for (std::size_t k = 0; k < whole.selected.size(); ++k) {
      ASSERT_NEAR(whole.selected[k].norm, scaled.selected[k].norm, digits) << "seed " << seed;
    }
  }
}

TEST(Weights, OneIsNoWeight) {
  NoProgress progress;
  Table table = random_table(3);
  const UffsResult without = uffs(testing::unweighted(table), {}, progress);
  table.weights.assign(table.rows(), 1.0);
  expect_equal(uffs(weighted(table), {}, progress), without);
}

TEST(Weights, AnySourceCanBeWeighted) {
  NoProgress progress;
  const Table table = random_table(4);
  const MemorySource rows = testing::unweighted(table);
  const WeightedSource source(rows, table.weights);
  expect_equal(uffs(source, {}, progress), uffs(weighted(table), {}, progress));
  EXPECT_THAT(MemorySource::load(source)->weights(), ::testing::ElementsAreArray(table.weights));
}

TEST(Weights, BadOnesAreNamed) {
  const auto message = [](std::vector<double> weights) {
    try {
      const MemorySource rows = testing::table({{1, 2, 3}});
      const WeightedSource source(rows, std::move(weights));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({1, 2}), "2 weights for 3 rows: give one per row");
  EXPECT_EQ(message({1, -0.5, 1}),
            "row 2: its weight is -0.5; a weight is a finite number, 0 or more");
  EXPECT_EQ(message({1, 1, NAN}),
            "row 3: its weight is nan; a weight is a finite number, 0 or more");
  EXPECT_EQ(message({INFINITY, 1, 1}),
            "row 1: its weight is inf; a weight is a finite number, 0 or more");
  EXPECT_EQ(message({0, 0, 0}), "all rows have weight 0: there is nothing to count");
  EXPECT_EQ(message({0, 2.5, 0}), "");
}

TEST(Weights, ALevelOfWeightZeroDoesNotOccur) {
  NoProgress progress;
  Random random(5);
  const std::vector<double> color{0, 0, 1, 2, 1, 2};
  const std::vector<double> weights{0, 0, 1, 3, 2, 1};
  const MemorySource rows = testing::table({color, {2, 2, 1, 1, 1, 1}}, {3, 3});
  const UffsResult result = uffs(WeightedSource(rows, weights), {}, progress);
  ASSERT_EQ(result.removed.size(), 1U);
  EXPECT_EQ(to_text(result.removed[0].equations[0]), "x2=b = 1");
}

}  // namespace
}  // namespace fsieve
