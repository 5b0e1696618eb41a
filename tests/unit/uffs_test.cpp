// UFFS against a twin written from the paper's formulas alone, engine against engine, and the
// examples of the papers.
#include "fsieve/uffs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cmath>
#include <numbers>

#include "fsieve/error.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using ::testing::ElementsAre;
using testing::product;
using testing::Random;
using testing::sum;

UffsResult run(const Source& source, const UffsOptions& options) {
  NoProgress progress;
  return uffs(source, options, progress);
}

std::vector<std::size_t> kept(const UffsResult& result) {
  std::vector<std::size_t> features;
  for (const SelectedFeature& feature : result.selected) features.push_back(feature.feature);
  return features;
}

// 001 Algorithm 1 by plain loops: norm(j) of every feature, all in one group, redundant features'
// parities kept.
std::vector<double> twin(const Columns& columns, int depth, double epsilon) {
  const std::size_t n = columns[0].size();
  std::vector<std::vector<double>> chi{std::vector<double>(n, 1.0)};
  std::vector<int> size{0};
  std::vector<std::vector<double>> psi;
  std::vector<double> norms;
  const auto orthogonalise = [&](std::vector<double> f) {
    for (int pass = 0; pass < 2; ++pass) {
      for (const auto& g : psi) {
        double inner = 0;
        for (std::size_t i = 0; i < n; ++i) inner += f[i] * g[i];
        for (std::size_t i = 0; i < n; ++i) f[i] -= inner / static_cast<double>(n) * g[i];
      }
    }
    double square = 0;
    for (const double value : f) square += value * value;
    const double norm = std::sqrt(square / static_cast<double>(n));
    if (norm > epsilon) {
      for (double& value : f) value /= norm;
      psi.push_back(std::move(f));
    }
    return norm;
  };
  orthogonalise(chi[0]);
  for (const auto& column : columns) {
    double mean = 0;
    for (const double x : column) mean += x / static_cast<double>(n);
    double variance = 0;
    for (const double x : column) variance += (x - mean) * (x - mean) / static_cast<double>(n);
    std::vector<double> z;
    for (const double x : column) z.push_back((x - mean) / std::sqrt(variance));
    const std::size_t earlier = chi.size();
    for (std::size_t s = 0; s < earlier; ++s) {
      if (size[s] >= depth) continue;
      chi.push_back(product(chi[s], z));
      size.push_back(size[s] + 1);
      const double norm = orthogonalise(chi.back());
      if (s == 0) norms.push_back(norm);
    }
  }
  return norms;
}

// A random table of one of the kinds that break naive code.
Columns random_columns(std::uint64_t seed) {
  Random random(seed);
  const std::size_t n = 12 + random.below(60);
  const std::size_t d = 3 + random.below(6);
  Columns columns;
  for (std::size_t j = 0; j < d; ++j) {
    const std::size_t kind = j < 2 ? random.below(2) : random.below(6);
    const auto earlier = [&] { return columns[random.below(j)]; };
    switch (kind) {
      case 0:
        columns.push_back(random.normals(n));
        break;
      case 1:
        columns.push_back(random.signs(n, 0.4));
        break;
      case 2:
        columns.push_back(product(earlier(), earlier()));
        break;
      case 3:
        columns.push_back(sum(2, earlier(), -0.5, earlier()));
        break;
      case 4:
        columns.push_back(earlier());
        break;
      default:
        columns.push_back(sum(1, earlier(), 0.2, random.normals(n)));
        break;
    }
    bool constant = true;
    for (const double x : columns.back()) constant = constant && x == columns.back()[0];
    if (constant) columns.back() = random.normals(n);
  }
  return columns;
}

TEST(Uffs, PaperRuleEqualsThePlainAlgorithm) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Columns columns = random_columns(seed);
    const MemorySource source = testing::table(columns);
    for (int depth = 1; depth <= 3; ++depth) {
      const std::vector<double> expected = twin(columns, depth, 0.1);
      for (const Engine engine : {Engine::gram, Engine::sample}) {
        UffsOptions options;
        options.order = Order::input;
        options.stages = {{depth, 0}};
        options.rule = Rule::paper;
        options.engine = engine;
        const UffsResult result = run(source, options);
        std::vector<double> norms(columns.size());
        for (const auto& feature : result.selected) norms[feature.feature] = feature.norm;
        for (const auto& feature : result.removed) norms[feature.feature] = feature.norm;
        for (std::size_t j = 0; j < columns.size(); ++j) {
          ASSERT_NEAR(norms[j], expected[j], 1e-6) << "seed " << seed << " depth " << depth;
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 5000);
}

TEST(Uffs, EnginesAgreeUnderEveryRuleAndGrouping) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const MemorySource source = testing::table(random_columns(1000 + seed));
    for (const Rule rule : {Rule::adjusted, Rule::paper}) {
      for (const Groups groups : {Groups::any, Groups::own}) {
        UffsOptions options;
        options.order = Order::input;
        options.stages = {{1, 0}, {2, 3}, {3, 4}};
        options.rule = rule;
        options.groups = groups;
        options.prune = groups == Groups::own && seed % 2 == 0;
        options.engine = Engine::gram;
        const UffsResult gram = run(source, options);
        options.engine = Engine::sample;
        const UffsResult sample = run(source, options);
        ASSERT_EQ(kept(gram), kept(sample)) << "seed " << seed;
        for (std::size_t k = 0; k < gram.selected.size(); ++k) {
          ASSERT_NEAR(gram.selected[k].norm, sample.selected[k].norm, 1e-6) << "seed " << seed;
          ASSERT_EQ(gram.selected[k].undecided, sample.selected[k].undecided) << "seed " << seed;
        }
        for (std::size_t k = 0; k < gram.removed.size(); ++k) {
          ASSERT_NEAR(gram.removed[k].norm, sample.removed[k].norm, 1e-6) << "seed " << seed;
          ASSERT_EQ(gram.removed[k].stage, sample.removed[k].stage) << "seed " << seed;
          ASSERT_NEAR(gram.removed[k].equations[0].r2, sample.removed[k].equations[0].r2, 2e-3);
        }
      }
    }
  }
}

// Once functions fill the space, nothing is left of the columns that come then.
TEST(Uffs, EnginesAgreeOnWhatComesInAFullSpace) {
  Random random(12);
  Columns noise;
  for (int j = 0; j < 40; ++j) noise.push_back(random.normals(100));
  const MemorySource source = testing::table(noise);
  for (const auto& [groups, prune] :
       {std::pair{Groups::own, false}, {Groups::own, true}, {Groups::any, false}}) {
    UffsOptions options;
    options.order = Order::input;
    options.stages = {{2, 0}};
    options.rule = Rule::paper;
    options.groups = groups;
    options.prune = prune;
    options.engine = Engine::gram;
    const UffsResult gram = run(source, options);
    options.engine = Engine::sample;
    const UffsResult sample = run(source, options);
    ASSERT_EQ(kept(gram), kept(sample));
    EXPECT_EQ(gram.stages[0].parities, 100U);
    EXPECT_EQ(sample.stages[0].parities, 100U);
    for (std::size_t k = 0; k < gram.removed.size(); ++k) {
      EXPECT_EQ(gram.removed[k].reason, sample.removed[k].reason);
      EXPECT_NEAR(gram.removed[k].norm, sample.removed[k].norm, 1e-6);
      EXPECT_EQ(to_text(gram.removed[k].equations[0]), to_text(sample.removed[k].equations[0]));
    }
  }
}

TEST(Uffs, ExampleOneOfThePaperForSigns) {
  Random random(1);
  const auto a = random.signs(400);
  const auto b = random.signs(400);
  UffsOptions options;
  options.order = Order::input;
  options.stages = {{3, 0}};
  options.rule = Rule::paper;
  const UffsResult result = run(testing::table({a, b, product(a, b)}), options);
  EXPECT_THAT(kept(result), ElementsAre(0, 1));
  EXPECT_EQ(result.stages[0].parities, 4U);
  EXPECT_EQ(to_text(result.removed[0].equations[0]), "x3 = x1·x2");
  EXPECT_NEAR(result.removed[0].equations[0].r2, 1, 1e-12);
}

TEST(Uffs, ExampleOneOfThePaperForNormals) {
  Random random(2);
  const std::size_t n = 100'000;
  const auto a = random.normals(n);
  const auto b = random.normals(n);
  std::vector<double> sign = product(a, b);
  for (double& x : sign) x = x > 0 ? 1 : -1;
  const UffsResult exact = run(testing::table({a, b, product(a, b)}), {});
  EXPECT_THAT(kept(exact), ElementsAre(0, 1));
  EXPECT_EQ(to_text(exact.removed[0].equations[0]), "x3 = x1·x2");
  const UffsResult signs = run(testing::table({a, b, sign}), {});
  EXPECT_THAT(kept(signs), ElementsAre(0, 1, 2));
  // The residual is x3 − (2/π) x1 x2, of squared norm 1 − 4/π².
  const double residual = std::sqrt(1 - 4 / (std::numbers::pi * std::numbers::pi));
  EXPECT_NEAR(signs.selected[2].norm, residual, 0.01);
}

TEST(Uffs, NoiseIsNotCalledRedundantForWantOfRows) {
  Random random(3);
  Columns noise;
  for (int j = 0; j < 500; ++j) noise.push_back(random.normals(72));
  const MemorySource source = testing::table(noise);
  for (const int depth : {2, 3}) {
    UffsOptions options;
    options.order = Order::input;
    options.stages = {{depth, 0}};
    options.equations = false;
    const UffsResult honest = run(source, options);
    EXPECT_EQ(honest.removed.size(), 0U);
    EXPECT_THAT(honest.warnings, ::testing::SizeIs(1));
    options.rule = Rule::paper;
    const UffsResult paper = run(source, options);
    EXPECT_GT(paper.removed.size(), 480U);
    EXPECT_EQ(paper.removed.back().reason, Reason::saturated);
  }
}

TEST(Uffs, EquationsUseFinallySelectedFeatures) {
  Random random(4);
  const auto a = random.normals(2000);
  const auto b = random.normals(2000);
  const auto ab = product(a, b);
  UffsOptions options;
  options.order = Order::input;
  // x4 is linear in x3, which a later stage removes as x1·x2.
  const UffsResult result = run(testing::table({a, b, ab, sum(2, ab, -3, a)}), options);
  EXPECT_THAT(kept(result), ElementsAre(0, 1));
  EXPECT_EQ(to_text(result.removed[0].equations[0]), "x3 = x1·x2");
  EXPECT_EQ(to_text(result.removed[1].equations[0]), "x4 = −3.00·x1 + 2.00·x1·x2");
  EXPECT_EQ(result.removed[1].stage, 1);
}

TEST(Uffs, EquationsLeaveOutNoise) {
  Random random(5);
  Columns columns;
  for (int j = 0; j < 15; ++j) columns.push_back(random.normals(1000));
  std::vector<double> noisy = sum(0.05, random.normals(1000), 4, product(columns[2], columns[8]));
  for (double& x : noisy) x += 10;
  columns.push_back(noisy);
  const UffsResult result = run(testing::table(columns), {});
  ASSERT_EQ(result.removed.size(), 1U);
  const Equation& equation = result.removed[0].equations[0];
  ASSERT_EQ(equation.terms.size(), 2U) << to_text(equation);
  EXPECT_NEAR(equation.terms[0].coefficient, 4, 0.02);
  EXPECT_THAT(equation.terms[0].factors, ElementsAre("x3", "x9"));
  EXPECT_NEAR(equation.terms[1].coefficient, 10, 0.02);
}

TEST(Uffs, CategoricalColumnsGoAsAWhole) {
  Random random(6);
  const std::size_t n = 600;
  const auto color = random.codes(n, 3);
  std::vector<double> renamed = color;  // the same three groups under other names
  for (double& x : renamed) x = x == 0 ? 2 : x - 1;
  std::vector<double> merged = color;  // a coarser column is a function of the finer one
  for (double& x : merged) x = x == 2 ? 1 : x;
  const UffsResult result =
      run(testing::table({color, random.normals(n), renamed, merged}, {3, 0, 3, 2}), {});
  EXPECT_THAT(kept(result), ElementsAre(0, 1));
  ASSERT_EQ(result.removed[0].equations.size(), 2U);
  EXPECT_EQ(to_text(result.removed[0].equations[0]), "x3=b = x1=c");
  EXPECT_EQ(to_text(result.removed[1].equations[0]), "x4=b = x1=b + x1=c");
}

TEST(Uffs, ConstantsGoFirst) {
  const UffsResult result =
      run(testing::table({{5, 5, 5, 5}, {1, 2, 3, 5}, {0, 0, 0, 0}}, {0, 0, 1}), {});
  EXPECT_THAT(kept(result), ElementsAre(1));
  EXPECT_EQ(result.removed[0].reason, Reason::constant);
  EXPECT_EQ(to_text(result.removed[0].equations[0]), "x1 = 5");
  EXPECT_EQ(result.removed[0].stage, 0);
}

TEST(Uffs, CumulativeRuleKeepsTheLeadingShare) {
  Random random(8);
  const auto a = random.normals(500);
  const auto b = random.normals(500);
  const auto near_a = sum(1, a, 0.3, random.normals(500));
  UffsOptions options;
  options.order = Order::input;
  options.stages = {{1, 0}};
  options.rule = Rule::cumulative;
  options.share = {0.97};
  // Squared norms about 1, 1 and 0.08: shares 0.48, 0.96, 1.
  EXPECT_THAT(kept(run(testing::table({a, near_a, b}), options)), ElementsAre(0, 2));
  options.share = {0.9};
  EXPECT_THAT(kept(run(testing::table({a, near_a, b}), options)), ElementsAre(0));
}

TEST(Uffs, OptionsThatDoNotFitAreUsageErrors) {
  const MemorySource source = testing::table({{1, 2, 3, 5}});
  const auto refuses = [&](const UffsOptions& options) {
    try {
      (void)run(source, options);
    } catch (const Error& error) {
      return error.kind() == Error::Kind::usage;
    }
    return false;
  };
  UffsOptions options;
  options.order = Order::input;
  options.epsilon = {0.1, 0.2};
  EXPECT_TRUE(refuses(options));
  options = {};
  options.epsilon = {0};
  EXPECT_TRUE(refuses(options));
  options = {};
  options.stages = {{7, 0}};
  EXPECT_TRUE(refuses(options));
  options = {};
  options.prune = true;
  EXPECT_TRUE(refuses(options));
  options = {};
  options.rule = Rule::cumulative;
  options.share = {0.5};
  options.groups = Groups::any;
  EXPECT_TRUE(refuses(options));
}

}  // namespace
}  // namespace fsieve
