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

}  // namespace
}  // namespace fsieve
