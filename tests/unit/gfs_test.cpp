// gfs and gfa: weights, sources that are not in memory, user functions, expressions, refusals. The
// twin from the paper's formulas is in tests/cli.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fsieve/error.h"
#include "fsieve/generate.h"
#include "fsieve/gfs.h"
#include "fsieve/result.h"
#include "weighted_tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using ::testing::HasSubstr;
using testing::Random;
using testing::random_table;
using testing::repeated;
using testing::Table;
using testing::table;
using testing::weighted;

constexpr double same_digits = 1e-9;

Family family(FamilyKind kind, int degree = 2) { return {kind, degree, {}, true}; }

std::vector<Family> families() {
  Family own = family(FamilyKind::functions);
  own.functions = {parse_function("abs(a)"), parse_function("a*b^2")};
  return {family(FamilyKind::multilinear, 1), family(FamilyKind::multilinear, 2),
          family(FamilyKind::multilinear_squares, 3), family(FamilyKind::polynomial, 2), own};
}

void expect_equal(const GreedyChoice& a, const GreedyChoice& b) {
  ASSERT_EQ(a.selected.size(), b.selected.size());
  for (std::size_t k = 0; k < a.selected.size(); ++k) {
    ASSERT_EQ(a.selected[k].feature, b.selected[k].feature);
    ASSERT_NEAR(a.selected[k].variance, b.selected[k].variance, same_digits);
    ASSERT_NEAR(a.selected[k].variance_left, b.selected[k].variance_left, same_digits);
  }
  ASSERT_EQ(a.trace.size(), b.trace.size());
  for (std::size_t k = 0; k < a.trace.size(); ++k) ASSERT_NEAR(a.trace[k], b.trace[k], same_digits);
  ASSERT_EQ(a.removed.size(), b.removed.size());
  for (std::size_t k = 0; k < a.removed.size(); ++k) {
    ASSERT_EQ(a.removed[k].feature, b.removed[k].feature);
    ASSERT_NEAR(a.removed[k].variance_left, b.removed[k].variance_left, same_digits);
    ASSERT_EQ(a.removed[k].reason, b.removed[k].reason);
  }
  ASSERT_EQ(a.functions, b.functions);
  ASSERT_EQ(a.saturated, b.saturated);
  ASSERT_EQ(a.entropy_bound.has_value(), b.entropy_bound.has_value());
  if (a.entropy_bound) {
    ASSERT_NEAR(a.entropy_bound->bits, b.entropy_bound->bits, same_digits);
  }
}

TEST(Gfs, AReportOfTheLibrarySaysWhatIsKnown) {
  Random random(3);
  const auto source = table({random.normals(50), random.normals(50)});
  EXPECT_EQ(describe(gfs(source, {}), source).method, "gfs");
  const Report<GreedyChoice> report = describe(gfa(source, {}), source);
  EXPECT_EQ(report.method, "gfa");
  EXPECT_THAT(to_json(report), HasSubstr("\"method\": \"gfa\""));
  // Without parameters nothing is known of thresholds and units.
  EXPECT_THAT(to_report(report, {}), HasSubstr("\ngfa: 4 functions kept"));
}

TEST(Gfs, WholeWeightsAreRepeatedRows) {
  NoProgress progress;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Table random = random_table(seed);
    for (const Family& functions : families()) {
      for (const Engine engine : {Engine::gram, Engine::sample}) {
        SCOPED_TRACE(fmt::format("seed {} family {}:{} engine {}", seed,
                                 static_cast<int>(functions.kind), functions.degree,
                                 static_cast<int>(engine)));
        GfsOptions options;
        options.family = functions;
        options.engine = engine;
        options.scale = seed % 2 == 0 ? Scale::standard : Scale::none;
        expect_equal(gfs(weighted(random), options, progress),
                     gfs(repeated(random), options, progress));
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(Gfs, WeightedEquationsAreThoseOfRepeatedRows) {
  NoProgress progress;
  Random random(5);
  Columns columns{random.normals(40), random.normals(40), {}};
  columns[2] = testing::sum(2, testing::product(columns[0], columns[0]), -1, columns[1]);
  Table weights{columns, {}, {}};
  for (std::size_t i = 0; i < 40; ++i) {
    weights.weights.push_back(static_cast<double>(random.below(4)));
  }
  GfsOptions options;
  options.family = family(FamilyKind::polynomial);
  const GreedyChoice found = gfs(weighted(weights), options, progress);
  const GreedyChoice same = gfs(repeated(weights), options, progress);
  ASSERT_EQ(found.removed.size(), 1U);
  EXPECT_EQ(to_text(found.removed[0].equations.at(0)), to_text(same.removed[0].equations.at(0)));
}

// Rows are made when they are read: nothing is in memory unless the engine loads it.
TEST(Gfs, StreamedRowsGiveTheSameChoice) {
  NoProgress progress;
  const auto source = synthetic_set({SetKind::gfs, 6000, 2, false, false});
  const auto loaded = MemorySource::load(*source);
  for (const Engine engine : {Engine::gram, Engine::sample, Engine::automatic}) {
    GfsOptions options;
    options.family = family(FamilyKind::multilinear_squares, 3);
    options.scale = Scale::none;
    options.epsilon2 = 1e-4;
    options.engine = engine;
    options.equations = false;
    const GreedyChoice streamed = gfs(*source, options, progress);
    const GreedyChoice held = gfs(*loaded, options, progress);
    expect_equal(streamed, held);
    EXPECT_EQ(streamed.trace, held.trace);  // to the bit
  }
}

TEST(Gfs, TheGramEngineHandsOverWhereDigitsEnd) {
  NoProgress progress;
  Random random(6);
  const std::size_t n = 300'000;
  Columns columns{random.normals(n), random.normals(n), random.normals(n), random.normals(n),
                  random.normals(n), random.normals(n), random.normals(n), {}};
  columns[7] = testing::sum(1, columns[0], 3e-4, random.normals(n));
  GfsOptions options;
  options.epsilon2 = 1e-9;
  options.equations = false;
  EXPECT_EQ(gfs(table(columns), options, progress).engine, Engine::sample);
  columns[7] = testing::sum(1, columns[0], 0.1, random.normals(n));
  EXPECT_EQ(gfs(table(columns), options, progress).engine, Engine::gram);
  RunContext tight;
  tight.memory = 1;
  columns[7] = testing::sum(1, columns[0], 3e-4, random.normals(n));
  const GreedyChoice short_of_memory = gfs(table(columns), options, tight);
  EXPECT_EQ(short_of_memory.engine, Engine::gram);
  EXPECT_THAT(short_of_memory.warnings, ::testing::Contains(HasSubstr("to few digits")));
}

TEST(Gfs, CallablesOfTheUser) {
  NoProgress progress;
  Random random(7);
  Columns columns{random.normals(200), random.normals(200), {}};
  for (std::size_t i = 0; i < 200; ++i) {
    columns[2].push_back(3 * std::hypot(columns[0][i], columns[1][i]) - 1);
  }
  GfsOptions options;
  options.scale = Scale::none;
  options.epsilon2 = 0.01;
  options.k = 3;
  options.family.kind = FamilyKind::functions;
  const auto length = [](std::span<const double> a, std::span<const double> b,
                         std::span<double> out) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::hypot(a[i], b[i]);
  };
  options.family.functions = {{"length(a, b)", 2, length}};
  for (double& value : columns[2]) value *= 0.1;  // chosen last
  for (const Engine engine : {Engine::gram, Engine::sample}) {
    options.engine = engine;
    const GreedyChoice found = gfs(table(columns), options, progress);
    ASSERT_EQ(found.selected.size(), 2U);
    ASSERT_EQ(found.removed.size(), 1U);
    EXPECT_NEAR(found.removed[0].variance_left, 0, 1e-12);
    const std::string text = to_text(found.removed[0].equations.at(0));
    EXPECT_THAT(text, ::testing::AnyOf("x3 = 0.300·length(x1, x2) − 0.100",
                                       "x3 = 0.300·length(x2, x1) − 0.100"));
  }
}

// The experiments of section V.D and V.C in small; bench/gfs has them whole.
TEST(Gfs, FindsTheLatentFeaturesOfThePaper) {
  NoProgress progress;
  int triples = 0;
  int pairs = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    GfaOptions options;
    options.family = family(FamilyKind::multilinear_squares, 3);
    options.scale = Scale::none;
    options.k = 10;
    options.equations = false;
    const auto right = [&](bool of_two) {
      const auto set = synthetic_set({SetKind::gfa, 1000, seed, false, of_two});
      const GreedyChoice found = gfa(*set, options, progress);
      return std::all_of(found.selected.begin(), found.selected.end(),
                         [](const ChosenFeature& f) { return f.feature < 10; });
    };
    triples += right(false) ? 1 : 0;
    pairs += right(true) ? 1 : 0;
  }
  EXPECT_GE(triples, 48);  // 90 % and more in a thousand runs
  EXPECT_EQ(pairs, 60);
}

TEST(Gfs, PicksARedundantFeatureOnlyForItsVariance) {
  NoProgress progress;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    GfsOptions options;
    options.family = family(FamilyKind::multilinear_squares, 3);
    options.scale = Scale::none;
    options.epsilon2 = 1e-6;
    options.equations = false;
    const auto set = synthetic_set({SetKind::gfs, 2000, seed, false, false});
    const GreedyChoice found = gfs(*set, options, progress);
    for (const ChosenFeature& feature : found.selected) {
      // Only the squares of x8, x9 and x10 vary more than their factor.
      if (feature.feature >= 10) {
        EXPECT_GT(feature.variance, 0.45);
      }
    }
    EXPECT_EQ(found.trace.back(), 0);
  }
}

TEST(Gfs, RefusesWhatDoesNotFit) {
  NoProgress progress;
  const MemorySource source = table({{1, 2, 3}, {4, 1, 2}});
  GfsOptions options;
  options.k = 3;
  EXPECT_THROW((void)gfs(source, options, progress), Error);
  options.k.reset();
  options.family.kind = FamilyKind::functions;
  EXPECT_THROW((void)gfs(source, options, progress), Error);
  options.family.functions = {{"f", 3, [](auto, auto, auto) {}}};
  EXPECT_THROW((void)gfs(source, options, progress), Error);
  options.family = family(FamilyKind::polynomial, 9);
  EXPECT_THROW((void)gfs(source, options, progress), Error);
}

double value(const std::string& text, double a, double b = 0) {
  const UserFunction function = parse_function(text);
  double out = 0;
  const std::span<const double> second =
      function.arguments == 2 ? std::span<const double>(&b, 1) : std::span<const double>();
  function.evaluate({&a, 1}, second, {&out, 1});
  return out;
}

TEST(Expression, Values) {
  EXPECT_EQ(value("a", 3), 3);
  EXPECT_EQ(value("b", 3), 3);
  EXPECT_EQ(value(" 2 * a + 1 ", 3), 7);
  EXPECT_EQ(value("-a^2", 3), -9);
  EXPECT_EQ(value("(-a)^2", 3), 9);
  EXPECT_EQ(value("2^3^a", 2), 512);
  EXPECT_EQ(value("2^-a", 1), 0.5);
  EXPECT_EQ(value("a - b - 1", 5, 2), 2);
  EXPECT_EQ(value("a − b", 5, 2), 3);
  EXPECT_EQ(value("a/b/2", 8, 2), 2);
  EXPECT_EQ(value("min(a, b) + 10*max(a, b)", 1, 2), 21);
  EXPECT_EQ(value("abs(a)*sign(a)", -4), -4);
  EXPECT_EQ(value("sqrt(a) + 1e1", 4), 12);
  EXPECT_EQ(value(".5*a", 4), 2);
  EXPECT_DOUBLE_EQ(value("log(exp(a))", 1.5), 1.5);
  EXPECT_DOUBLE_EQ(value("sin(a)^2 + cos(a)^2", 0.7), 1);
  EXPECT_DOUBLE_EQ(value("tanh(a)", 0.3), std::tanh(0.3));
  EXPECT_EQ(parse_function("a*b").arguments, 2);
  EXPECT_EQ(parse_function("sin(b)").arguments, 1);
}

TEST(Expression, ManyRowsAtOnce) {
  std::vector<double> a(1000);
  std::vector<double> out(1000);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<double>(i);
  parse_function("(a + 1)*(a - 1) + 1").evaluate(a, {}, out);
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(out[i], a[i] * a[i]);
}

std::string complaint(const std::string& text) {
  try {
    (void)parse_function(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage);
    return error.what();
  }
  return "";
}

TEST(Expression, SaysWhereItIsWrong) {
  EXPECT_THAT(complaint(""), HasSubstr("there is nothing"));
  EXPECT_THAT(complaint("sin(a"), HasSubstr("character 6: a bracket is not closed"));
  EXPECT_THAT(complaint("a)"), HasSubstr("character 2: a bracket closes"));
  EXPECT_THAT(complaint("a +"), HasSubstr("character 4: the expression ends too early"));
  EXPECT_THAT(complaint("a · b"), HasSubstr("character 3: \"·\" is not expected"));
  EXPECT_THAT(complaint("a a"), HasSubstr("character 3"));
  EXPECT_THAT(complaint("tan(a)"), HasSubstr("\"tan\" is neither a nor b nor one of abs"));
  EXPECT_THAT(complaint("c"), HasSubstr("character 1"));
  EXPECT_THAT(complaint("sin a"), HasSubstr("sin needs brackets"));
  EXPECT_THAT(complaint("min(a)"), HasSubstr("two values"));
  EXPECT_THAT(complaint("sin(a, b)"), HasSubstr("one value"));
  EXPECT_THAT(complaint("a**2"), HasSubstr("written ^"));
  EXPECT_THAT(complaint("1 + 2"), HasSubstr("neither a nor b"));
  EXPECT_THAT(complaint("1e999*a"), HasSubstr("not a number"));
  EXPECT_THAT(complaint(std::string(5000, '(') + "a"), HasSubstr("too deeply"));
  EXPECT_THAT(complaint(std::string(5000, '-') + "a"), HasSubstr("too deeply"));
}

}  // namespace
}  // namespace fsieve
