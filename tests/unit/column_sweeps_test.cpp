// The sweeps over columns, beside the same formulas column by column.
#include "methods/forward/column_sweeps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace fsieve {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

// Inner products of some functions of each of many columns, as arrays over the columns.
struct MadeUp {
  std::size_t columns, functions, labels;
  std::vector<double> gram, on_label, squares;

  // Functions of 12 numbers; some are nearly dependent, and some columns are no candidates.
  MadeUp(std::size_t count, std::size_t per_column, std::size_t of_label, std::mt19937_64& random)
      : columns(count),
        functions(per_column),
        labels(of_label),
        gram(functions * (functions + 1) / 2 * columns),
        on_label(functions * labels * columns),
        squares(functions * columns) {
    constexpr std::size_t rows = 12;
    std::normal_distribution<double> normal;
    for (std::size_t c = 0; c < columns; ++c) {
      std::vector<std::vector<double>> own(functions, std::vector<double>(rows));
      for (std::size_t a = 0; a < functions; ++a) {
        for (std::size_t i = 0; i < rows; ++i) own[a][i] = normal(random);
        const double rest = c % 3 == 0 ? 1 : c % 3 == 1 ? 0.05 : 1e-5;
        if (a % 2 == 1) {
          for (std::size_t i = 0; i < rows; ++i) own[a][i] = own[a - 1][i] + rest * own[a][i];
        }
        for (std::size_t b = 0; b <= a; ++b) {
          double sum = 0;
          for (std::size_t i = 0; i < rows; ++i) sum += own[a][i] * own[b][i];
          gram[(a * (a + 1) / 2 + b) * columns + c] = sum;
        }
        squares[a * columns + c] = 1.5 * gram[(a * (a + 1) / 2 + a) * columns + c];
        if (c % 7 == 6) gram[(a * (a + 1) / 2 + a) * columns + c] = -no_limit;
      }
    }
    for (double& value : on_label) value = normal(random);
  }

  [[nodiscard]] EstimatedGain one(std::size_t c, const EstimateTerms& terms) const {
    std::vector<double> own(functions * functions);
    std::vector<double> label(functions * labels);
    std::vector<double> square(functions);
    for (std::size_t a = 0; a < functions; ++a) {
      for (std::size_t b = 0; b <= a; ++b) {
        own[a + b * functions] = gram[(a * (a + 1) / 2 + b) * columns + c];
      }
      square[a] = squares[a * columns + c];
    }
    for (std::size_t k = 0; k < label.size(); ++k) label[k] = on_label[k * columns + c];
    return estimated_gain(estimated_catch(functions, own.data(), labels, label.data(),
                                          square.data(), terms.least, terms.rounding),
                          terms);
  }
};

TEST(ColumnSweeps, EstimatesAreThoseOfEachColumn) {
  std::mt19937_64 random(3);
  const EstimateTerms terms{0.01, 60, 90, 300, 1e-4, 1e-3, 1e-3};
  std::size_t told = 0;
  std::size_t hidden = 0;
  for (const std::size_t functions : {1U, 2U, 5U}) {
    for (const std::size_t labels : {1U, 3U}) {
      for (const std::size_t count : {1U, 2U, 7U, 64U, 101U}) {
        const MadeUp made(count, functions, labels, random);
        std::vector<double> gain(count);
        std::vector<double> most(count);
        const ColumnSums sums{
            count, functions, labels, made.gram.data(), made.on_label.data(), made.squares.data()};
        const double best = estimate_columns(sums, terms, 0, count, gain.data(), most.data());
        double expected_best = -no_limit;
        for (std::size_t c = 0; c < count; ++c) {
          const EstimatedGain expected = made.one(c, terms);
          if (most[c] == no_limit) {
            ++hidden;
            continue;
          }
          ASSERT_NE(expected.most, no_limit);
          if (std::isinf(expected.gain)) {
            EXPECT_EQ(gain[c], expected.gain);
            EXPECT_EQ(most[c], expected.most);
            continue;
          }
          ++told;
          const double error = expected.most - expected.gain;
          EXPECT_NEAR(gain[c], expected.gain, 1e-9);
          EXPECT_NEAR(most[c], expected.most, 1e-9 * (1 + error));
          expected_best = std::max(expected_best, expected.gain - error);
        }
        if (std::isinf(expected_best)) {
          EXPECT_EQ(best, expected_best);
        } else {
          EXPECT_NEAR(best, expected_best, 1e-9);
        }
      }
    }
  }
  EXPECT_GT(told, 100U);
  EXPECT_GT(hidden, 10U);
}

TEST(ColumnSweeps, SumsAreTakenOut) {
  std::mt19937_64 random(5);
  std::normal_distribution<float> normal;
  constexpr std::size_t stride = 40;
  for (const std::size_t count : {0U, 1U, 2U, 9U}) {
    std::vector<float> x(count * stride);
    std::vector<float> y(count * stride);
    std::vector<float> factors(3 * count);
    for (auto* const values : {&x, &y, &factors}) {
      for (float& value : *values) value = normal(random);
    }
    for (const std::size_t columns : {1U, 16U, 37U}) {
      std::vector<double> products(stride, 2.5);
      std::vector<double> multiples(stride, 2.5);
      subtract_products(columns, stride, count, x.data(), y.data(), products.data());
      subtract_multiples(columns, stride, count, x.data(), factors.data(), 3, multiples.data());
      for (std::size_t c = 0; c < stride; ++c) {
        double product = 2.5;
        double multiple = 2.5;
        for (std::size_t k = 0; k < count && c < columns; ++k) {
          product -= static_cast<double>(x[k * stride + c]) * y[k * stride + c];
          multiple -= static_cast<double>(x[k * stride + c]) * factors[k * 3];
        }
        EXPECT_NEAR(products[c], product, 1e-5);
        EXPECT_NEAR(multiples[c], multiple, 1e-5);
      }
    }
  }
}

}  // namespace
}  // namespace fsieve
