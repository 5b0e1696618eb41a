// Equations judged on parts that were not used, where only sums of the parts are left: beside
// refits.
#include "equation/held_out_parts.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "data/design.h"
#include "fsieve/error.h"
#include "fsieve/uffs.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::Random;
using testing::table;

NoProgress in_silence;

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
    sums.add(table(some_rows(columns, i, i + 1)), in_silence);
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
  sums.add(table(columns), in_silence);
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
    sums.add(table(columns), in_silence);
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
  whole.add(source, in_silence);
  ParitySums first(schema, 1);
  first.add(table(some_rows(columns, 0, 20)), in_silence);
  ParitySums second(schema, 1);
  second.add(table(some_rows(columns, 20, 150)), in_silence);
  second.add(table(some_rows(columns, 150, rows)), in_silence);
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
  sums.add(source, in_silence);
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
