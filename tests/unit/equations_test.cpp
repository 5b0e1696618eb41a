// The search for equations: which parities, and the fit of many at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "equation/fit.h"
#include "fsieve/threads.h"
#include "span/support.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::inner;
using testing::Random;

void take_out(const std::vector<double>& unit, std::vector<double>& from) {
  const double amount = inner(unit, from);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] -= amount * unit[i];
}

// Parities 0, 1, … of a random basis, row by row; row 0 is the constant.
struct RandomBasis {
  RandomBasis(std::size_t rank, Random& random) : lower(rank * rank), eligible(rank) {
    for (std::size_t k = 0; k < rank; ++k) {
      parities.push_back(k == 0 ? Parity() : Parity().times(k));
      std::vector<double> row = random.normals(k + 1);
      row[k] = 1 + std::abs(row[k]);
      const double norm = std::sqrt(inner(row, row));
      for (std::size_t c = 0; c <= k; ++c) lower[k + c * rank] = row[c] / norm;
      eligible[k] = random.uniform() < 0.9;
    }
  }

  std::vector<Parity> parities;
  std::vector<double> lower;
  std::vector<bool> eligible;
};

// Orthogonal matching pursuit on vectors of coordinates, all recomputed at every step.
std::vector<std::uint32_t> by_definition(const RandomBasis& basis, const SupportTarget& target,
                                         double rows, std::size_t most_terms) {
  const std::size_t all = basis.parities.size();
  const std::size_t rank = target.coordinates.size();
  const auto adjusted = [&](double left, std::size_t terms) {
    return left * rows / std::max(1.0, rows - static_cast<double>(terms));
  };
  const double full = adjusted(target.residual2, rank);
  const double enough = full + equation_tolerance(full);
  std::vector<std::vector<double>> functions(rank, std::vector<double>(rank));
  for (std::size_t k = 0; k < rank; ++k) {
    for (std::size_t c = 1; c <= k; ++c) functions[k][c] = basis.lower[k + c * all];
  }
  std::vector<double> left = target.coordinates;
  left[0] = 0;
  std::vector<std::uint32_t> chosen;
  while (adjusted(target.residual2 + inner(left, left), chosen.size() + 1) > enough &&
         chosen.size() < most_terms) {
    std::size_t best = 0;
    double most = 1e-12;
    for (std::size_t k = 1; k < rank; ++k) {
      const double size = inner(functions[k], functions[k]);
      if (!basis.eligible[k] || size < 1e-10) continue;
      const double caught = std::pow(inner(functions[k], left), 2) / size;
      if (caught <= most) continue;
      most = caught;
      best = k;
    }
    if (best == 0) break;
    std::vector<double> unit = functions[best];
    const double norm = std::sqrt(inner(unit, unit));
    for (double& value : unit) value /= norm;
    for (auto& function : functions) take_out(unit, function);
    take_out(unit, left);
    chosen.push_back(static_cast<std::uint32_t>(best));
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::vector<std::uint32_t> single_columns(const std::vector<Parity>& singles) {
  std::vector<std::uint32_t> columns;
  for (const Parity& parity : singles) columns.push_back(parity.columns()[0]);
  return columns;
}

TEST(SupportFinder, ChoosesAsThePursuitDoes) {
  constexpr double rows = 500;
  constexpr std::size_t targets = 70;  // more than a batch
  for (const std::size_t rank : {1U, 2U, 16U, 17U, 50U, 210U}) {
    Random random(rank);
    const RandomBasis basis(rank, random);
    std::vector<SupportTarget> wanted;
    for (std::size_t t = 0; t < targets; ++t) {
      // Columns that came early know the first functions only.
      SupportTarget target{random.normals(1 + random.below(rank)), 0};
      target.coordinates[0] = 0;
      const double length = std::sqrt(inner(target.coordinates, target.coordinates)) + 1e-3;
      for (double& coordinate : target.coordinates) coordinate /= length;
      target.residual2 = random.uniform() < 0.5 ? 0 : 0.02;
      wanted.push_back(std::move(target));
    }
    for (const std::size_t most_terms : {std::size_t{3}, SIZE_MAX}) {
      for (SupportTarget& target : wanted) target.most_terms = most_terms;
      for (const std::uint64_t threads : {1U, 2U}) {
        NoProgress progress;
        SupportFinder finder(basis.parities, basis.lower.data(), rank, rows, basis.eligible);
        std::vector<std::vector<Parity>> found;
        with_threads(threads, [&] {
          found = finder.find(
              targets, [&](std::size_t t) { return wanted[t]; }, progress);
        });
        for (std::size_t t = 0; t < targets; ++t) {
          EXPECT_EQ(single_columns(found[t]), by_definition(basis, wanted[t], rows, most_terms))
              << "rank " << rank << ", target " << t;
        }
      }
    }
  }
}

TEST(SupportFinder, GivesUpWhereManyTermsLeaveMuch) {
  constexpr std::size_t rank = 50;
  Random random(9);
  const RandomBasis basis(rank, random);
  SupportTarget target{random.normals(rank), 0.02};
  target.coordinates[0] = 0;
  const double length = std::sqrt(inner(target.coordinates, target.coordinates) / 0.98);
  for (double& coordinate : target.coordinates) coordinate /= length;
  NoProgress progress;
  const auto found = [&](std::size_t patience, double bearable) {
    target.patience = patience;
    target.bearable = bearable;
    SupportFinder finder(basis.parities, basis.lower.data(), rank, 500, basis.eligible);
    return single_columns(finder.find(
        1, [&](std::size_t) { return target; }, progress)[0]);
  };
  const auto whole = found(SIZE_MAX, 0);
  ASSERT_GT(whole.size(), 10U);
  EXPECT_TRUE(found(10, 0.03).empty());
  EXPECT_EQ(found(10, 1.1), whole);
  EXPECT_EQ(found(whole.size() + 1, 0), whole);
}

// 40 normal columns, a copy of one of them, three combinations and one product.
class Fits : public ::testing::Test {
 protected:
  Fits() : source_(testing::table(columns())), design_(make_design(source_, progress_)) {}

  static Columns columns() {
    Random random(5);
    Columns columns;
    for (int j = 0; j < 40; ++j) columns.push_back(random.normals(300));
    columns.push_back(columns[3]);
    columns.push_back(testing::sum(2, columns[0], -1, columns[39]));
    columns.push_back(testing::sum(1, columns[3], 0.5, columns[35]));
    columns.push_back(testing::product(columns[1], columns[33]));
    return columns;
  }

  // The products of a fit are those of the 41 columns, copy included, and one pair.
  static FitTask task(std::uint32_t target) {
    std::vector<Monomial> products{{1, 33}};
    for (std::uint32_t j = 0; j <= 40; ++j) products.push_back({j});
    return {target, closure(products)};
  }

  NoProgress progress_;
  MemorySource source_;
  Design design_;
  Products products_{source_, design_};
};

std::vector<Monomial> products_of(const Fit& fit) {
  std::vector<Monomial> products;
  for (const FittedTerm& term : fit.terms) products.push_back(term.product);
  return products;
}

TEST_F(Fits, AreExactWhereARelationIs) {
  using ::testing::ElementsAre;
  const auto fits = fit_all(products_, {task(41), task(42), task(43)}, progress_);
  EXPECT_THAT(products_of(fits[0]), ElementsAre(Monomial{0}, Monomial{39}));
  EXPECT_NEAR(fits[0].terms[0].coefficient, 2, 1e-9);
  EXPECT_NEAR(fits[0].terms[1].coefficient, -1, 1e-9);
  EXPECT_THAT(products_of(fits[1]), ElementsAre(Monomial{3}, Monomial{35}));
  EXPECT_NEAR(fits[1].terms[1].coefficient, 0.5, 1e-9);
  EXPECT_THAT(products_of(fits[2]), ElementsAre(Monomial{1, 33}));
  for (const Fit& fit : fits) EXPECT_NEAR(fit.r2, 1, 1e-9);
}

// Together tasks share their inner products, with others they do not.
TEST_F(Fits, AreTheSameTogetherAndAlone) {
  std::vector<FitTask> tasks{task(41), task(42), task(43)};
  for (const std::uint32_t j : {5U, 6U, 7U}) {
    tasks.push_back({j, closure({{0}, {1}, {2}})});  // of noise
    tasks.push_back({j, closure({{8, 9}, {j + 5}})});
  }
  const auto together = fit_all(products_, tasks, progress_);
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const Fit alone = fit_all(products_, {tasks[t]}, progress_)[0];
    EXPECT_EQ(products_of(alone), products_of(together[t]));
    EXPECT_NEAR(alone.r2, together[t].r2, 1e-12);
    for (std::size_t i = 0; i < alone.terms.size(); ++i) {
      EXPECT_NEAR(alone.terms[i].coefficient, together[t].terms[i].coefficient, 1e-9);
    }
  }
  const std::vector<FitTask> apart(tasks.begin() + 3, tasks.end());
  const auto few = fit_all(products_, apart, progress_);
  for (std::size_t t = 0; t < apart.size(); ++t) {
    EXPECT_EQ(products_of(few[t]), products_of(together[t + 3]));
  }
}

// Of 60 rows, 20 columns and their copies leave 39 degrees of freedom, not 19.
TEST(Fit, HasNoTermsThatAreCombinationsOfOthers) {
  Random random(7);
  Columns columns;
  for (int j = 0; j < 20; ++j) columns.push_back(random.normals(60));
  for (int j = 0; j < 20; ++j) columns.push_back(columns[j]);
  columns.push_back(testing::sum(1, columns[0], 0.3, random.normals(60)));
  NoProgress progress;
  const MemorySource source = testing::table(columns);
  const Design design = make_design(source, progress);
  std::vector<Monomial> products;
  for (std::uint32_t j = 0; j < 40; ++j) products.push_back({j});
  const Fit fit = fit_all(Products(source, design), {{40, closure(products)}}, progress)[0];
  EXPECT_LE(fit.terms.size(), 21U);
  EXPECT_GT(fit.r2, 0.8);
  for (const FittedTerm& term : fit.terms) EXPECT_NE(term.coefficient, 0);
}

}  // namespace
}  // namespace fsieve
