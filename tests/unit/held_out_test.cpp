// Equations on rows that were not used: leave one out, without a refit per row, beside the refits.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "base/natural_order.h"
#include "data/design.h"
#include "equation/confirmation.h"
#include "equation/held_out.h"
#include "equation/held_out_parts.h"
#include "fsieve/error.h"
#include "fsieve/uffs.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::Random;
using testing::table;

NoProgress no_progress;

// Gauss elimination with pivots; false where the system has no unique solution.
bool solve(std::vector<std::vector<double>> matrix, std::vector<double>& vector) {
  const std::size_t size = vector.size();
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < size; ++i) {
      if (std::abs(matrix[i][k]) > std::abs(matrix[pivot][k])) pivot = i;
    }
    if (std::abs(matrix[pivot][k]) < 1e-9) return false;
    std::swap(matrix[k], matrix[pivot]);
    std::swap(vector[k], vector[pivot]);
    for (std::size_t i = 0; i < size; ++i) {
      if (i == k) continue;
      const double factor = matrix[i][k] / matrix[k][k];
      for (std::size_t c = k; c < size; ++c) matrix[i][c] -= factor * matrix[k][c];
      vector[i] -= factor * vector[k];
    }
  }
  for (std::size_t k = 0; k < size; ++k) vector[k] /= matrix[k][k];
  return true;
}

// By definition: the share of variance left when every row is predicted by least squares of the
// others; by the mean of all where these leave a coefficient open.
double by_refits(const Columns& products, const std::vector<double>& target,
                 const std::vector<double>& weights) {
  const std::size_t rows = target.size();
  const std::size_t terms = products.size();
  const double weight = std::accumulate(weights.begin(), weights.end(), 0.0);
  double mean = 0;
  for (std::size_t i = 0; i < rows; ++i) mean += weights[i] * target[i] / weight;
  double left = 0;
  double total = 0;
  for (std::size_t out = 0; out < rows; ++out) {
    std::vector<std::vector<double>> gram(terms, std::vector<double>(terms));
    std::vector<double> solution(terms);
    for (std::size_t i = 0; i < rows; ++i) {
      const double stays = weights[i] - (i == out ? 1 : 0);
      for (std::size_t a = 0; a < terms; ++a) {
        solution[a] += stays * products[a][i] * target[i];
        for (std::size_t b = 0; b < terms; ++b) {
          gram[a][b] += stays * products[a][i] * products[b][i];
        }
      }
    }
    double predicted = mean;
    if (solve(gram, solution)) {
      predicted = 0;
      for (std::size_t a = 0; a < terms; ++a) predicted += solution[a] * products[a][out];
    }
    left += weights[out] * std::pow(target[out] - predicted, 2);
    total += weights[out] * std::pow(target[out] - mean, 2);
  }
  return left / total;
}

HeldOutFit judged(const Source& source, Claim claim) {
  const Design design = make_design(source, no_progress);
  const Sheet sheet = read_sheet(source, design, 4096, no_progress);
  claim.coefficients.resize(claim.products.size());
  std::vector<Claim> claims{std::move(claim)};
  return held_out(source, design, sheet, claims, no_progress)[0];
}

TEST(HeldOutFit, IsWhatRefitsWithoutEachRowGive) {
  Random random(5);
  for (const std::size_t rows : {12UL, 60UL, 700UL}) {
    const auto a = random.normals(rows);
    const auto b = random.normals(rows);
    auto target = random.normals(rows);
    std::vector<double> product(rows);
    const std::vector<double> ones(rows, 1.0);
    for (std::size_t i = 0; i < rows; ++i) {
      product[i] = a[i] * b[i];
      target[i] = 3 + a[i] - 2 * product[i] + 0.3 * target[i];
    }
    const MemorySource source = table({a, b, target});
    const HeldOutFit found = judged(source, {2, {{{0, 1}}, {{0, 1}, {1, 1}}, {}}, {}});
    EXPECT_NEAR(found.left_out, by_refits({a, product, ones}, target, ones), 1e-9);
    EXPECT_GT(found.left_out, found.left);
  }
}

TEST(HeldOutFit, ARowOfWeightTwoIsTwoRows) {
  Random random(6);
  constexpr std::size_t rows = 40;
  const auto a = random.normals(rows);
  const auto target = random.normals(rows);
  const std::vector<double> ones(rows, 1.0);
  std::vector<double> weights(rows, 1.0);
  weights[3] = 2;
  weights[17] = 3;
  Columns repeated(2);
  for (std::size_t i = 0; i < rows; ++i) {
    for (double copy = 0; copy < weights[i]; ++copy) {
      repeated[0].push_back(a[i]);
      repeated[1].push_back(target[i]);
    }
  }
  const HeldOutFit found = judged(table(repeated), {1, {{{0, 1}}, {}}, {}});
  EXPECT_NEAR(found.left_out, by_refits({a, ones}, target, weights), 1e-9);
}

// The only row with a flag determines its coefficient: the others know nothing of it.
TEST(HeldOutFit, ARowThatAloneDeterminesATermIsNotPredicted) {
  constexpr std::size_t rows = 50;
  std::vector<double> flag(rows);
  std::vector<double> other(rows);
  flag[7] = other[7] = 1;
  other[8] = 1;
  const std::vector<double> ones(rows, 1.0);
  const MemorySource source = table({flag, other});
  const HeldOutFit copy = judged(source, {0, {{{1, 1}}}, {}});
  EXPECT_GT(copy.left_out, 0.3);
  std::vector<double> target(rows);
  target[7] = 5;
  const HeldOutFit found = judged(table({flag, target}), {1, {{{0, 1}}, {}}, {}});
  EXPECT_NEAR(found.left, 0, 1e-12);
  EXPECT_NEAR(found.left_out, by_refits({flag, ones}, target, ones), 1e-9);
  EXPECT_NEAR(found.left_out, 0.98, 1e-9);
}

// COIL20, one half: f31 = 1387·f0 − 1503·f1 + 117·f1023 had an R² of 0.9998, and −5.6e6 on other
// rows.
TEST(HeldOutFit, RowsThatAloneTellNearlyEqualColumnsApartAreNotPredicted) {
  constexpr double unit = 1.0 / 4080;
  Random random(3);
  for (int draw = 0; draw < 20; ++draw) {
    std::vector<double> a(720);
    const auto shades = random.codes(72, 7);
    for (std::size_t i = 0; i < shades.size(); ++i) a[100 + i] = unit * (48 + 16 * shades[i]);
    std::vector<double> b = a;
    std::vector<double> c = a;
    std::vector<double> target = a;
    b[5] = unit;
    c[5] = 13 * unit;
    c[9] = unit;
    target[5] = 18 * unit;
    target[9] = 117 * unit;
    const HeldOutFit found =
        judged(table({a, b, c, target}), {3, {{{0, 1}}, {{1, 1}}, {{2, 1}}}, {1387, -1503, 117}});
    const double all = std::inner_product(target.begin(), target.end(), target.begin(), 0.0);
    EXPECT_LT(found.left, 1e-9);
    EXPECT_GT(found.left_out, 0.5 * target[9] * target[9] / all) << draw;
  }
}

// The variance of the logarithm of a ratio of sums over rows.
TEST(HeldOutFit, SpreadIsThatOfARatio) {
  constexpr std::size_t rows = 400;
  Random random(4);
  const auto a = random.normals(rows);
  auto target = random.normals(rows);
  for (std::size_t i = 0; i < rows; ++i) target[i] = a[i] + 0.1 * target[i];
  target[17] += 0.5;
  const HeldOutFit found = judged(table({a, target}), {1, {{{0, 1}}}, {}});
  const double slope = std::inner_product(a.begin(), a.end(), target.begin(), 0.0) /
                       std::inner_product(a.begin(), a.end(), a.begin(), 0.0);
  const double mean = std::accumulate(target.begin(), target.end(), 0.0) / rows;
  double left = 0;
  double total = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    left += std::pow(target[i] - slope * a[i], 2);
    total += std::pow(target[i] - mean, 2);
  }
  double spread = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    spread += std::pow(
        std::pow(target[i] - slope * a[i], 2) / left - std::pow(target[i] - mean, 2) / total, 2);
  }
  EXPECT_NEAR(found.spread, spread, 0.03 * spread);
  const HeldOutFit exact = judged(table({a, a}), {1, {{{0, 1}}}, {}});
  EXPECT_LT(exact.left_out, 1e-20);
  EXPECT_TRUE(exact.copy);
}

// Two columns with a one in the same two of 1000 rows: 500 000 places where the ones could stand.
TEST(HeldOutFit, FewCarriersAreLittleEvidence) {
  std::vector<double> a(1000);
  std::vector<double> b(1000);
  a[5] = a[700] = b[5] = b[700] = 1;
  const HeldOutFit found = judged(table({a, b}), {1, {{{0, 1}}}, {}});
  EXPECT_NEAR(found.left_out, 0, 1e-9);
  EXPECT_NEAR(found.carriers, 2, 0.1);
  EXPECT_NEAR(found.arrangements, std::log(1000.0 * 999 / 2), 1e-9);
  EXPECT_NEAR(log_chance(found, 1, 1000), -found.arrangements, 1e-9);
  Confirmation among_thousands(0.1, 1000, 12);
  among_thousands.add(found, 1, 1, 2 * std::log(1000));
  EXPECT_FALSE(among_thousands.holds());
}

TEST(Confirmation, LongEquationsMustBeExact) {
  HeldOutFit noisy;
  noisy.left = noisy.left_out = 0.005;
  noisy.carriers = 1000;
  noisy.arrangements = 1e4;
  HeldOutFit exact = noisy;
  exact.left = exact.left_out = 1e-9;
  const auto holds = [](const HeldOutFit& judged, std::size_t terms) {
    Confirmation one(0.1, 1000, 12);
    one.add(judged, terms, 1, 10);
    return one.holds();
  };
  EXPECT_TRUE(holds(noisy, 12));
  EXPECT_FALSE(holds(noisy, 13));
  EXPECT_TRUE(holds(exact, 13));
}

// The best of many equations looks better on few rows than it is, and few rows may carry its error.
TEST(Confirmation, WhatIsChosenFromManyMustHaveTheRowsForIt) {
  const auto holds = [](double rows, double choices, double spread) {
    HeldOutFit noisy;
    noisy.left = noisy.left_out = 0.008;
    noisy.carriers = rows / 3;
    noisy.arrangements = std::numeric_limits<double>::infinity();
    noisy.spread = spread;
    Confirmation one(0.1, rows, 12);
    one.add(noisy, 2, 1, choices);
    return one.holds();
  };
  EXPECT_TRUE(holds(1000, 26, 0.004));
  EXPECT_FALSE(holds(105, 26, 0.004));
  EXPECT_TRUE(holds(105, 1, 0.004));
  EXPECT_FALSE(holds(1000, 26, 0.2));
}

// An exact equation has no error to go by. Fifty rows and more are enough to print it; fewer are
// promised what they can be, but for real numbers, whose digits tell.
TEST(Confirmation, ExactEquationsOfFewRowsPromiseLittle) {
  const auto promised = [](double ones, double rows, double arrangements) {
    HeldOutFit exact;
    exact.left = exact.left_out = 0;
    exact.carriers = ones;
    exact.varied = varied_share(rows, rows - ones);
    exact.arrangements = arrangements;
    return promised_r2(exact, rows);
  };
  EXPECT_NEAR(promised(7, 1000, 40), 1 - std::log2(100) / 7, 0.01);
  EXPECT_EQ(promised(3, 1000, 40), 0);
  EXPECT_EQ(promised(50, 1000, 40), 1);
  EXPECT_EQ(promised(7, 1000, std::numeric_limits<double>::infinity()), 1);
}

// Whole numbers of which none is in the majority are no rare flag: all rows tell.
TEST(Confirmation, ExactSumsGoAndPromiseByTheSameRows) {
  const auto firm = [](double rows, double usual) {
    HeldOutFit exact;
    exact.left = exact.left_out = 0;
    exact.carriers = rows / 2.5;
    exact.varied = varied_share(rows, usual);
    exact.arrangements = 90;
    Confirmation one(0.1, rows, 12);
    one.add(exact, 3, 1, 20);
    EXPECT_EQ(one.holds(), promised_r2(exact, rows) == 1);
    return one.holds();
  };
  EXPECT_TRUE(firm(52, 13));
  EXPECT_FALSE(firm(49, 13));
  EXPECT_FALSE(firm(80, 60));
}

// A rare level that is not told does not decide for the category.
TEST(Confirmation, ColumnsOfAFeatureAreJudgedTogether) {
  HeldOutFit common;
  common.left = common.left_out = 0;
  common.carriers = 500;
  common.arrangements = 600;
  HeldOutFit rare;
  rare.carriers = 1;
  Confirmation both(0.1, 1000, 12);
  both.add(common, 1, 0.25, 10);
  both.add(rare, 1, 0.001, 10);
  EXPECT_NEAR(both.norm(), std::sqrt(0.001 / 0.251), 1e-12);
  EXPECT_TRUE(both.holds());
}

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
    const UffsResult found = uffs(table(sparse_flags(seed, 300, 60)), UffsOptions(), no_progress);
    EXPECT_TRUE(found.removed.empty()) << "seed " << seed;
    UffsOptions walk;
    walk.order = Order::input;
    walk.stages = {{2, 0}};
    walk.engine = Engine::gram;
    EXPECT_TRUE(uffs(table(sparse_flags(seed, 300, 40)), walk, no_progress).removed.empty());
    walk.engine = Engine::sample;
    EXPECT_TRUE(uffs(table(sparse_flags(seed, 300, 40)), walk, no_progress).removed.empty());
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
    const UffsResult found = uffs(table(columns), options, no_progress);
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
      const UffsResult found = uffs(table(columns), options, no_progress);
      ASSERT_EQ(found.selected.size() + found.removed.size(), 3U);
      EXPECT_EQ(found.selected.front().feature, 0U);
      EXPECT_EQ(found.selected.back().feature, 2U);
    }
  }
  options.protect = {"x9"};
  EXPECT_THROW((void)uffs(table({a, b}), options, no_progress), Error);
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
  const UffsResult found = interchangeable(table(columns), options, no_progress);
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

TEST(NaturalOrder, CountsAsPeopleDo) {
  EXPECT_TRUE(naturally_before("x2", "x10"));
  EXPECT_FALSE(naturally_before("x10", "x2"));
  EXPECT_TRUE(naturally_before("x1", "x1a"));
  EXPECT_TRUE(naturally_before("a9b2", "a09b10"));
  EXPECT_TRUE(naturally_before("x01", "x1"));
  EXPECT_FALSE(naturally_before("x1", "x1"));
  Equation equation{
      "y",
      {{1, {"x10", "x2"}, {}}, {2, {}, {}}, {3, {"x11"}, {}}, {4, {"x9", "x10"}, {0.5, 2}}},
      1,
      1};
  order_naturally(equation);
  EXPECT_EQ(to_text(equation), "y = 3.00·x11 + x2·x10 + 4.00·√x9·x10² + 2.00");
}

Columns some_rows(const Columns& columns, std::size_t first, std::size_t last) {
  Columns rows;
  for (const auto& column : columns) {
    rows.emplace_back(column.begin() + static_cast<std::ptrdiff_t>(first),
                      column.begin() + static_cast<std::ptrdiff_t>(last));
  }
  return rows;
}

double rows_in(const ParitySums& sums, std::size_t part) {
  const std::vector<double> nobody(sums.schema().features.size(), 0.0);
  const std::vector<double> ones(sums.schema().features.size(), 1.0);
  return sums.part_around(part, {0}, nobody, ones)[0];
}

// One row at a time, so that the part whose count rises is known.
std::vector<std::size_t> parts_of_rows(const Columns& columns, ParitySums& sums) {
  std::vector<std::size_t> parts;
  for (std::size_t i = 0; i < columns[0].size(); ++i) {
    std::vector<double> before;
    for (std::size_t k = 0; k < sums.parts(); ++k) before.push_back(rows_in(sums, k));
    sums.add(table(some_rows(columns, i, i + 1)), no_progress);
    for (std::size_t k = 0; k < sums.parts(); ++k) {
      if (rows_in(sums, k) > before[k] + 0.5) parts.push_back(k);
    }
  }
  return parts;
}

// y by a·b, a and a constant, fitted to all parts but one, judged_parts on that one.
double by_refits_of_parts(const Columns& columns, const std::vector<std::size_t>& parts,
                          std::size_t count) {
  const auto terms = [&](std::size_t i) {
    return std::array<double, 3>{1, columns[0][i], columns[0][i] * columns[1][i]};
  };
  double left = 0;
  for (std::size_t out = 0; out < count; ++out) {
    std::array<std::array<double, 4>, 3> system{};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i] == out) continue;
      const auto x = terms(i);
      for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t b = 0; b < 3; ++b) system[a][b] += x[a] * x[b];
        system[a][3] += x[a] * columns[2][i];
      }
    }
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t row = 0; row < 3; ++row) {
        if (row == a) continue;
        const double factor = system[row][a] / system[a][a];
        for (std::size_t b = 0; b < 4; ++b) system[row][b] -= factor * system[a][b];
      }
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i] != out) continue;
      const auto x = terms(i);
      double residual = columns[2][i];
      for (std::size_t a = 0; a < 3; ++a) residual -= x[a] * system[a][3] / system[a][a];
      left += residual * residual;
    }
  }
  return left;
}

HeldOutFit judged_parts(const ParitySums& sums, std::size_t target, std::vector<Fit> fits) {
  const Design design = make_design(sums.schema(), sums.moments().rows(), sums.moments());
  return held_out_parts(sums, design, {target}, fits)[0];
}

Fit fit_of_products(const std::vector<equation::Monomial>& products) {
  Fit fit;
  for (const equation::Monomial& product : products) fit.terms.push_back({1, product});
  return fit;
}

TEST(HeldOutParts, IsWhatRefitsWithoutEachPartGive) {
  Random random(5);
  for (const double far : {0.0, 1000.0}) {
    constexpr std::size_t rows = 90;
    Columns columns{random.normals(rows), random.normals(rows), random.normals(rows)};
    for (std::size_t i = 0; i < rows; ++i) {
      columns[0][i] += far;
      columns[2][i] = 3 + columns[0][i] - 2 * columns[0][i] * columns[1][i] + 0.3 * columns[2][i];
    }
    ParitySums sums(table(columns).schema(), 2, 4);
    const auto parts = parts_of_rows(columns, sums);
    const NumericMoments& target = sums.moments().numeric(2);
    const HeldOutFit found = judged_parts(sums, 2, {fit_of_products({{}, {0}, {0, 1}})});
    EXPECT_NEAR(found.left_out * target.squares, by_refits_of_parts(columns, parts, 4), 1e-5);
  }
}

// One row of 400 that two flags share by chance.
TEST(HeldOutParts, WhatOnePartAloneHasIsNotPredicted) {
  constexpr std::size_t rows = 400;
  Columns columns(2, std::vector<double>(rows));
  columns[0][7] = columns[1][7] = 1;
  ParitySums sums(table(columns).schema(), 1);
  sums.add(table(columns), no_progress);
  Fit copy = fit_of_products({{0}});
  copy.r2_fit = 1;
  const HeldOutFit found = judged_parts(sums, 1, {copy});
  EXPECT_GT(found.left_out, 0.9);
  EXPECT_NEAR(found.carriers, 1, 0.02);
  EXPECT_NEAR(found.arrangements, std::log(rows), 1e-9);
}

// A row of 1000 that is far off is nearly all of what is left, wherever it is.
TEST(HeldOutParts, SpreadIsLargeWhereOneRowIsFarOff) {
  Random random(6);
  constexpr std::size_t rows = 1000;
  Columns columns{random.normals(rows), random.normals(rows)};
  for (std::size_t i = 0; i < rows; ++i) columns[1][i] = columns[0][i] + 0.1 * columns[1][i];
  const auto spread = [&] {
    ParitySums sums(table(columns).schema(), 1);
    sums.add(table(columns), no_progress);
    return judged_parts(sums, 1, {fit_of_products({{0}})}).spread;
  };
  EXPECT_LT(spread(), 0.02);
  columns[1][500] += 30;
  EXPECT_GT(spread(), 0.5);
}

TEST(ColumnShapes, DoNotDependOnUnitsAndChunks) {
  Random random(8);
  constexpr std::size_t rows = 300;
  const Columns columns{random.normals(rows), random.codes(rows, 5), random.signs(rows, 0.02)};
  const MemorySource source = table(columns);
  const Schema& schema = source.schema();
  ParitySums whole(schema, 1);
  whole.add(source, no_progress);
  ParitySums first(schema, 1);
  first.add(table(some_rows(columns, 0, 20)), no_progress);
  ParitySums second(schema, 1);
  second.add(table(some_rows(columns, 20, 150)), no_progress);
  second.add(table(some_rows(columns, 150, rows)), no_progress);
  first.merge(second);
  for (std::size_t j = 0; j < 3; ++j) {
    const double mean = whole.moments().numeric(j).mean;
    double second_power = 0;
    double fourth = 0;
    for (const double value : columns[j]) {
      second_power += std::pow(value - mean, 2);
      fourth += std::pow(value - mean, 4);
    }
    EXPECT_NEAR(whole.shapes()->carriers(j, mean), second_power * second_power / fourth, 1e-8);
    EXPECT_NEAR(first.shapes()->carriers(j, mean), second_power * second_power / fourth, 1e-8);
    EXPECT_EQ(first.shapes()->log_arrangements(j), whole.shapes()->log_arrangements(j));
  }
  EXPECT_TRUE(std::isinf(whole.shapes()->log_arrangements(0)));
  EXPECT_FALSE(std::isinf(whole.shapes()->log_arrangements(1)));
}

TEST(ParitySums, PartsAddUpToTheWhole) {
  Random random(9);
  const MemorySource source = table({random.normals(50), random.normals(50)});
  ParitySums sums(source.schema(), 2, 5);
  sums.add(source, no_progress);
  const std::vector<double> means{0.3, -1};
  const std::vector<double> deviations{2, 0.5};
  const std::vector<double> whole = sums.sums_around(means, deviations);
  std::vector<double> total(whole.size());
  for (std::size_t k = 0; k < sums.parts(); ++k) {
    const std::vector<double> part = sums.part_around(k, {0, 1, 2, 3}, means, deviations);
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += part[i];
  }
  for (std::size_t i = 0; i < total.size(); ++i) EXPECT_NEAR(total[i], whole[i], 1e-10);
  EXPECT_THROW(sums.merge(ParitySums(source.schema(), 2, 4)), Error);
}

}  // namespace
}  // namespace fsieve
