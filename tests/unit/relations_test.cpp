// The parts of the search for relations, each beside what it promises, on random small data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "relations/choice.h"
#include "relations/copies.h"
#include "relations/elimination.h"
#include "relations/relation.h"
#include "relations/signs.h"
#include "relations/tableau.h"
#include "tables.h"

namespace fsieve::relations {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;
using Columns = fsieve::testing::Columns;
using fsieve::testing::Random;

std::vector<double> standardised(std::vector<double> column) {
  double mean = 0;
  double squares = 0;
  const auto n = static_cast<double>(column.size());
  for (const double value : column) mean += value / n;
  for (double& value : column) squares += (value - mean) * (value - mean) / n;
  for (double& value : column) value = (value - mean) / std::sqrt(squares);
  return column;
}

std::vector<double> gram_of(const Columns& columns) {
  std::vector<double> gram;
  for (const auto& a : columns) {
    for (const auto& b : columns) {
      double sum = 0;
      for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
      gram.push_back(sum / static_cast<double>(a.size()));
    }
  }
  return gram;
}

// Independent columns, then sums of some of them; all standardised.
Columns with_sums(Random& random, std::size_t rows, std::size_t independent, std::size_t sums) {
  Columns columns;
  for (std::size_t j = 0; j < independent; ++j) columns.push_back(random.normals(rows));
  for (std::size_t s = 0; s < sums; ++s) {
    std::vector<double> sum(rows);
    for (std::size_t j = s; j < s + 3; ++j) {
      const double weight = 1 + static_cast<double>(random.below(4));
      for (std::size_t i = 0; i < rows; ++i) sum[i] += weight * columns[j][i];
    }
    columns.push_back(std::move(sum));
  }
  for (auto& column : columns) column = standardised(std::move(column));
  return columns;
}

// What the tableau says of every row, against what stands there.
double worst_error(const Tableau& tableau, const Columns& columns) {
  double worst = 0;
  for (std::size_t o = 0; o < tableau.others.size(); ++o) {
    for (std::size_t i = 0; i < columns[0].size(); ++i) {
      double sum = 0;
      for (std::size_t b = 0; b < tableau.basis.size(); ++b) {
        sum += tableau.weights[b + o * tableau.basis.size()] * columns[tableau.basis[b]][i];
      }
      worst = std::max(worst, std::abs(sum - columns[tableau.others[o]][i]));
    }
  }
  return worst;
}

std::size_t entries(const Tableau& tableau) {
  return static_cast<std::size_t>(std::count_if(tableau.weights.begin(), tableau.weights.end(),
                                                [](double w) { return std::abs(w) > 1e-6; }));
}

TEST(Elimination, OneColumnGoesForEveryExactSum) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const std::size_t sums = seed % 4;
    const Columns columns = with_sums(random, 60, 6, sums);
    std::vector<Bundle> bundles;
    for (std::size_t k = 0; k < columns.size(); ++k) bundles.push_back({k, k + 1, true});
    const auto removed = eliminated(gram_of(columns), bundles, 1e-3, 60);
    ASSERT_EQ(removed.size(), sums) << seed;
    std::vector<std::size_t> kept;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (std::find(removed.begin(), removed.end(), k) == removed.end()) kept.push_back(k);
    }
    const Tableau tableau = tableau_of(gram_of(columns), columns.size(), kept, removed);
    EXPECT_LT(worst_error(tableau, columns), 1e-8) << seed;
  }
}

TEST(Elimination, TheLargestShareGoesAndWhatMustStayStays) {
  Random random(7);
  const auto a = random.normals(80);
  auto b = random.normals(80);
  for (double& value : b) value *= 2;
  std::vector<double> total(80);
  for (std::size_t i = 0; i < 80; ++i) total[i] = a[i] + b[i];
  const Columns columns{standardised(a), standardised(b), standardised(total)};
  EXPECT_THAT(eliminated(gram_of(columns), {{0, 1, true}, {1, 2, true}, {2, 3, true}}, 0.01, 80),
              ElementsAre(2));
  EXPECT_THAT(eliminated(gram_of(columns), {{0, 1, true}, {1, 2, true}, {2, 3, false}}, 0.01, 80),
              ElementsAre(1));
}

TEST(Elimination, ColumnsThatEarlierOnesWrite) {
  Random random(3);
  Columns columns = with_sums(random, 50, 5, 2);
  std::swap(columns[0],
            columns[6]);  // a sum of three stands before its parts, a part behind its sum
  EXPECT_THAT(dependent_columns(gram_of(columns), columns.size()), ElementsAre(3, 6));
}

TEST(Tableau, ExchangesKeepWhatItSaysAndMakeItShorter) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Columns columns = with_sums(random, 60, 6, 3);
    // The sums are the basis: everything is written by them, at length.
    Tableau tableau = tableau_of(gram_of(columns), columns.size(), {3, 4, 5, 6, 7, 8}, {0, 1, 2});
    ASSERT_LT(worst_error(tableau, columns), 1e-8);
    const std::size_t before = entries(tableau);
    Simplicity simplicity;
    simplicity.cost = [](std::size_t, std::size_t, double) { return 1.0; };
    simplicity.free = [](std::size_t) { return true; };
    simplify(tableau, simplicity);
    EXPECT_LT(worst_error(tableau, columns), 1e-8) << seed;
    EXPECT_LE(entries(tableau), before) << seed;
    EXPECT_LE(entries(tableau), 9U) << seed;  // three sums of three
  }
}

SignBits bits_of(const std::vector<double>& signs) {
  SignBits bits((signs.size() + 63) / 64);
  for (std::size_t i = 0; i < signs.size(); ++i) {
    if (signs[i] > 0) bits[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  return bits;
}

TEST(SignRelations, EveryPlantedProductAndNoOther) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    constexpr std::size_t rows = 150;
    Columns columns;
    for (int j = 0; j < 6; ++j) columns.push_back(random.signs(rows));
    const std::size_t products = seed % 3;
    for (std::size_t p = 0; p < products; ++p) {
      std::vector<double> product(rows, seed % 2 == 0 ? 1.0 : -1.0);
      for (std::size_t j = p; j < p + 2; ++j) {
        for (std::size_t i = 0; i < rows; ++i) product[i] *= columns[j][i];
      }
      columns.push_back(std::move(product));
    }
    std::vector<SignBits> bits;
    for (const auto& column : columns) bits.push_back(bits_of(column));
    const auto found = sign_relations(bits, rows);
    ASSERT_EQ(found.size(), products) << seed;
    std::set<std::size_t> targets;
    for (const SignRelation& relation : found) targets.insert(relation.target);
    for (const SignRelation& relation : found) {
      std::set<double> left;
      for (std::size_t i = 0; i < rows; ++i) {
        double product = columns[relation.target][i];
        for (const std::size_t j : relation.factors) product *= columns[j][i];
        left.insert(product);
      }
      EXPECT_EQ(left.size(), 1U) << seed;
      EXPECT_LE(relation.factors.size(), 2U) << seed;
      for (const std::size_t j : relation.factors) EXPECT_FALSE(targets.contains(j)) << seed;
    }
  }
}

TEST(SignRelations, FewRowsTellNothing) {
  Random random(1);
  std::vector<SignBits> bits;
  for (int j = 0; j < 30; ++j) bits.push_back(bits_of(random.signs(25)));
  EXPECT_TRUE(sign_relations(bits, 25).empty());
}

Relation relation(std::uint32_t target, std::vector<Product> products) {
  Relation result;
  result.target = target;
  result.products = std::move(products);
  return result;
}

TEST(Choice, NoColumnIsNeededForItself) {
  Choice choice;
  EXPECT_TRUE(choice.take(relation(2, {{{0, 1}, {1, 1}}})));    // c = a·b
  EXPECT_FALSE(choice.take(relation(2, {{{3, 1}}})));           // it is gone already
  EXPECT_FALSE(choice.take(relation(0, {{{2, 1}, {1, -1}}})));  // a = c/b
  EXPECT_TRUE(choice.take(relation(4, {{{2, 2}}, {{3, 1}}})));  // e = c² + d
  EXPECT_FALSE(choice.take(relation(1, {{{4, 1}}})));           // b by e, which needs it
  EXPECT_TRUE(choice.gone(2) && choice.gone(4) && !choice.gone(0));
}

TEST(Choice, ByKeptColumnsOnly) {
  Choice choice;
  ASSERT_TRUE(choice.take(relation(2, {{{0, 1}, {1, 1}}})));
  ASSERT_TRUE(choice.take(relation(4, {{{2, 2}}, {{3, 1}}})));
  ASSERT_TRUE(choice.take(relation(5, {{{4, 0.5}}})));  // a root of a sum has no sum of products
  const auto written = choice.in_kept_columns(4);
  ASSERT_TRUE(written);
  EXPECT_THAT(written->products, UnorderedElementsAre(Product{{0, 2}, {1, 2}}, Product{{3, 1}}));
  EXPECT_FALSE(choice.in_kept_columns(5));
}

TEST(Choice, LogarithmsOfProductsAreSums) {
  Choice choice;
  ASSERT_TRUE(choice.take(relation(2, {{{0, 1}, {1, -1}}})));    // c = a/b
  ASSERT_TRUE(choice.take(relation(3, {{{2, 1, Form::log}}})));  // d = log(c)
  ASSERT_TRUE(choice.take(relation(4, {{{3, 1}, {0, 1}}})));     // e = d·a
  ASSERT_TRUE(choice.take(relation(6, {{{5, 1}}, {{0, 1}}})));   // g = f + a
  ASSERT_TRUE(choice.take(relation(7, {{{6, 1, Form::log}}})));  // of a sum: none
  ASSERT_TRUE(choice.take(relation(9, {{{2, 1, Form::log_of_one_more}}})));
  const Product log_a{{0, 1, Form::log}};
  const Product log_b{{1, 1, Form::log}};
  EXPECT_THAT(choice.in_kept_columns(3)->products, UnorderedElementsAre(log_a, log_b));
  EXPECT_THAT(
      choice.in_kept_columns(4)->products,
      UnorderedElementsAre(Product{{0, 1}, {0, 1, Form::log}}, Product{{0, 1}, {1, 1, Form::log}}));
  EXPECT_FALSE(choice.in_kept_columns(7));
  EXPECT_FALSE(choice.in_kept_columns(9));
}

TEST(Copies, TheSameButForUnitAndOrigin) {
  Random random(5);
  const auto a = random.normals(40);
  const auto b = random.normals(40);
  Sheet sheet;
  sheet.rows = 40;
  const auto append = [&](const std::vector<double>& column, double unit, double origin) {
    for (const double value : column) sheet.values.push_back(unit * value + origin);
  };
  append(a, 1, 0);
  append(b, 1, 0);
  append(a, 2.54, -3);
  append(a, -1, 100);
  append(b, 1, 1e-3);
  auto nearly = a;
  nearly[7] += 0.5;
  append(nearly, 1, 0);
  EXPECT_THAT(same_up_to_unit(sheet, {0, 1, 2, 3, 4, 5}),
              UnorderedElementsAre(UnorderedElementsAre(0, 2, 3), UnorderedElementsAre(1, 4)));
}

TEST(Powers, TheUsualOnes) {
  EXPECT_EQ(usual_power(0.4999, 1e-3), 0.5);
  EXPECT_EQ(usual_power(-1.9999, 1e-3), -2);
  EXPECT_EQ(usual_power(1.23, 1e-3), 1.23);
  EXPECT_THAT(multiplied({{0, 1}, {2, 0.5}}, {{0, 2}, {1, 1}}),
              UnorderedElementsAre(Factor{0, 3}, Factor{1, 1}, Factor{2, 0.5}));
  EXPECT_TRUE(multiplied({{0, 1}}, {{0, -1}}).empty());
}

}  // namespace
}  // namespace fsieve::relations
