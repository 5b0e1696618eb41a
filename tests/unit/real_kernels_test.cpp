// Kernels of products and sums of reals, with every instruction set.
#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "linalg/column_dots.h"
#include "linalg/span_squares.h"
#include "methods/forward/column_sweeps.h"
#include "methods/forward/pair_screen.h"
#include "methods/union/pair_screen.h"
#include "methods/union/sweep.h"
#include "span/gram_factor.h"
#include "unit/instruction_sets.h"

namespace fsieve {
namespace {

class RealKernels : public InstructionSets {};

// Inner products of whole numbers, and what is said of them in single precision.
TEST_F(RealKernels, PairsThatMayHold) {
  constexpr std::size_t length = 20;
  constexpr std::size_t labels = 2;
  const auto rounded = [&](std::size_t columns) {
    auto halves = wholes<std::int16_t>(2 * columns * length, -300, 300);
    std::vector<std::int32_t> joined;
    for (std::size_t w = 0; w < halves.size(); w += 2) {
      const auto low = static_cast<std::uint16_t>(halves[w]);
      joined.push_back(static_cast<std::int32_t>(halves[w + 1]) * 65536 + low);
    }
    return joined;
  };
  const auto values = rounded(screen_panel);
  const auto squares = rounded(screen_panel);
  const auto with_label = rounded(labels * screened_at_once);
  const auto with_squares = rounded(screened_at_once);
  const std::vector<float> unit(screen_panel, 0.01F);
  const std::vector<float> off(screen_panel, 30);
  const auto terms = numbers<float>(screen_panel, 0.1);
  const PairScreenTask task{length,
                            labels,
                            screened_at_once,
                            {values.data(), unit.data(), off.data()},
                            {squares.data(), unit.data(), off.data()},
                            {with_label.data(), unit.data(), off.data()},
                            {with_squares.data(), unit.data(), off.data()},
                            nullptr,
                            terms.data(),
                            terms.data()};
  for (const float least : {1.0F, 10.0F, 100.0F, 1000.0F, 10000.0F}) {
    expect_equal([&] {
      std::array<std::uint32_t, screened_at_once> masks{};
      pairs_may_hold(task, least, masks.data());
      return masks;
    });
  }
}

// The screen of 8 bits is there in one set alone: like all others it loses no pair.
TEST_F(RealKernels, CoarseScreensLoseNoPair) {
  constexpr std::size_t rows = 150;
  constexpr std::size_t count = 70;
  constexpr double least = 6;
  const auto values = numbers(count * rows);
  const auto residual = numbers(rows);
  const std::vector<double> weight(rows, 1);
  const std::vector<double> terms(count, 0);
  using ColumnPair = std::pair<std::size_t, std::size_t>;
  std::set<ColumnPair> good;
  for (std::size_t v = 0; v < count; ++v) {
    for (std::size_t u = 0; u < v; ++u) {
      double inner = 0;
      double norm = 0;
      for (std::size_t i = 0; i < rows; ++i) {
        const double product = values[u * rows + i] * values[v * rows + i];
        inner += product * residual[i];
        norm += product * product;
      }
      if (inner * inner / norm > least) good.emplace(u, v);
    }
  }
  EXPECT_GT(good.size(), 3U);
  const auto answers = with_each([&] {
    std::mutex guard;
    std::set<ColumnPair> found;
    const PairScreen screen(rows, values.data(), terms, weight, residual);
    const auto left = screen.for_each([] { return least; },
                                      [&](std::size_t u, std::size_t v) {
                                        const std::lock_guard lock(guard);
                                        found.emplace(u, v);
                                      });
    EXPECT_TRUE(left.empty());
    return found;
  });
  for (const auto& found : answers) {
    EXPECT_TRUE(std::includes(found.begin(), found.end(), good.begin(), good.end()));
    EXPECT_LT(found.size(), count * (count - 1) / 4);
  }
}

TEST_F(RealKernels, ColumnDots) {
  constexpr std::size_t columns = 21;
  for (const std::size_t rows : {7U, 300U}) {
    for (const std::size_t count : {1U, 5U}) {
      blas::FewFunctions functions;
      functions.resize(rows, count);
      for (std::size_t f = 0; f < count; ++f) {
        const auto values = numbers<float>(rows);
        std::copy(values.begin(), values.end(), functions[f]);
      }
      const auto values = numbers<float>(columns * rows + blas::rows_of_dots);
      std::vector<const float*> places;
      for (std::size_t c = 0; c < columns; ++c) places.push_back(values.data() + c * rows);
      expect_near(1e-4, [&] {
        std::vector<float> sums(2 * count * columns);
        blas::add_column_dots(functions, places.data(), columns, sums.data(), columns);
        blas::add_square_dots(functions, places.data(), columns, sums.data() + count * columns,
                              columns);
        return sums;
      });
    }
  }
}

TEST_F(RealKernels, SpanSquares) {
  constexpr std::size_t columns = 21;
  for (const std::size_t rows : {7U, 300U}) {
    for (const std::size_t count : {1U, 19U}) {
      const auto functions = numbers(rows * count, 1 / std::sqrt(static_cast<double>(rows)));
      const auto values = numbers<float>(columns * rows);
      expect_near(1e-4, [&] {
        std::vector<float> squares(columns);
        blas::SpanSquares(functions.data(), rows, count).of(values.data(), columns, squares.data());
        return squares;
      });
    }
  }
}

TEST_F(RealKernels, ColumnSweeps) {
  constexpr std::size_t columns = 37;
  constexpr std::size_t labels = 2;
  const EstimateTerms terms{0.01, 60, 90, 300, 1e-4, 1e-3, 1e-3};
  for (const std::size_t functions : {1U, 2U, 5U}) {
    auto gram = numbers(functions * (functions + 1) / 2 * columns);
    std::vector<double> squares;
    for (std::size_t a = 0; a < functions; ++a) {
      double* own = gram.data() + (a * (a + 1) / 2 + a) * columns;
      for (std::size_t c = 0; c < columns; ++c) squares.push_back(1.5 * (own[c] += 12));
      if (a > 0) own[6] = -INFINITY;  // what is no candidate
    }
    const auto on_label = numbers(functions * labels * columns);
    const ColumnSums sums{columns, functions, labels, gram.data(), on_label.data(), squares.data()};
    expect_near(1e-9, [&] {
      std::vector<double> told(2 * columns);
      told.push_back(estimate_columns(sums, terms, 0, columns, told.data(), told.data() + columns));
      return told;
    });
  }
  const auto x = numbers<float>(9 * columns);
  const auto y = numbers<float>(9 * columns);
  expect_near(1e-5, [&] {
    std::vector<double> left(2 * columns, 2.5);
    subtract_products(columns, columns, 9, x.data(), y.data(), left.data());
    subtract_multiples(columns, columns, 9, x.data(), y.data(), 3, left.data() + columns);
    return left;
  });
}

TEST_F(RealKernels, FactoredGrams) {
  constexpr std::size_t rows = 40;
  constexpr std::size_t labels = 3;
  for (const std::size_t count : {1U, 6U, 19U}) {
    auto values = numbers(rows * count);
    if (count > 5) std::copy_n(values.begin(), rows, values.begin() + 5 * rows);  // is skipped
    std::vector<double> gram(count * count);
    for (std::size_t j = 0; j < count; ++j) {
      for (std::size_t i = j; i < count; ++i) {
        for (std::size_t r = 0; r < rows; ++r) {
          gram[j * count + i] += values[i * rows + r] * values[j * rows + r];
        }
      }
    }
    const auto on_label = numbers(count * labels);
    expect_near(1e-10, [&] {
      auto factor = gram;
      auto coordinates = on_label;
      const auto kept = factor_gram(count, factor.data(), count, 1e-6, labels, coordinates.data());
      EXPECT_EQ(kept.size(), count > 5 ? count - 1 : count);
      std::vector<double> told(kept.begin(), kept.end());
      for (const std::size_t k : kept) {
        told.insert(told.end(), factor.data() + k * count + k, factor.data() + (k + 1) * count);
        told.insert(told.end(), coordinates.data() + k * labels,
                    coordinates.data() + (k + 1) * labels);
      }
      return told;
    });
  }
}

TEST_F(RealKernels, Sweeps) {
  constexpr std::size_t rows = 61;
  const auto b = numbers(rows);
  const auto c = numbers(rows);
  const std::array<std::vector<double>, 4> outer{{{}, numbers(rows), numbers(rows), numbers(rows)}};
  const std::array<const double*, 4> of_outer{nullptr, outer[1].data(), outer[2].data(),
                                              outer[3].data()};
  const auto transform = numbers(16 * 17 / 2, 0.05);
  const auto f = numbers(3 * std::size_t{16});
  const auto scaled = numbers(rows);
  const auto real = numbers(rows);
  const auto codes = wholes<double>(rows, 0, 2);
  for (const int features : {2, 3, 4}) {
    const SweepSubset subset{features, of_outer.data(),  b.data(),
                             c.data(), transform.data(), f.data()};
    for (const auto measure : {Measure::m_n, Measure::bayes_accuracy, Measure::q2}) {
      const bool classes = measure == Measure::bayes_accuracy;
      const SweepLabel label{measure, rows, classes ? 3U : 1U, classes ? codes.data() : real.data(),
                             scaled.data()};
      expect_near(1e-11, [&] { return std::vector{sweep(label, subset)}; });
    }
  }
}

TEST_F(RealKernels, SweepsOfFourPairs) {
  for (const std::size_t rows : {64U, 67U}) {
    const auto b = numbers(rows);
    const auto base = numbers(rows);
    const auto c = numbers(4 * rows);
    const auto v = numbers(4 * std::size_t{8});
    const auto y = numbers(rows);
    const auto scaled = numbers(rows);
    const SweepLabel label{Measure::m_n, rows, 1, y.data(), scaled.data()};
    const std::array<const double*, 4> columns{c.data(), c.data() + rows, c.data() + 2 * rows,
                                               c.data() + 3 * rows};
    const std::array<const double*, 4> coefficients{v.data(), v.data() + 8, v.data() + 16,
                                                    v.data() + 24};
    expect_near(1e-12, [&] {
      std::vector<double> sums(4);
      sweep_four_pairs(label, b.data(), base.data(), columns.data(), coefficients.data(),
                       sums.data());
      return sums;
    });
  }
}

TEST_F(RealKernels, SweepsOfClasses) {
  constexpr std::size_t classes = 3;
  const std::array<std::size_t, classes + 1> first{0, 16, 64, 96};
  auto weight = std::vector<double>(first.back(), 1);
  weight[15] = weight[95] = 0;
  const auto u = numbers(first.back());
  const auto v = numbers(first.back());
  const auto coefficients = numbers(4 * classes);
  const std::array<double, classes> rest{};
  const ClassSweep pair{classes,
                        94,
                        first.data(),
                        weight.data(),
                        u.data(),
                        v.data(),
                        {0.9, -0.2, 0.7, 0.1, -0.3, 0.4},
                        coefficients.data()};
  expect_near(1e-12, [&] { return std::vector{sweep_classes(pair, rest.data(), -1e300)}; });
}

TEST_F(RealKernels, PairsOfManyClasses) {
  constexpr std::size_t classes = 5;
  const auto uuv = numbers(pair_group, 0.1);
  const auto uvv = numbers(pair_group, 0.1);
  const std::vector<double> uuvv(pair_group, 1.5);
  const auto class_uv = numbers(classes * pair_group, 0.05);
  const auto class_u = numbers(classes * pair_group, 0.1);
  const auto class_v = numbers(classes * pair_group, 0.1);
  const std::vector<double> share(classes, 0.2);
  const PairMeans means{classes,    uuv.data(),     uvv.data(),     uuvv.data(), class_uv.data(),
                        pair_group, class_u.data(), class_v.data(), pair_group,  share.data()};
  const std::array<std::size_t, classes + 1> first{0, 16, 32, 1072, 1072, 1088};
  const auto u = numbers<float>(first.back());
  const auto v = numbers<float>(first.back());
  auto weight = std::vector<float>(first.back(), 1);
  weight[15] = 0;
  const NarrowPair rows{u.data(), v.data(), weight.data(), first.data(), classes};
  expect_near(1e-9, [&] {
    PairFits fits(classes);
    fit_pairs(means, fits);
    std::vector<double> told = fits.f;
    for (const auto& of_pairs : fits.v) told.insert(told.end(), of_pairs, of_pairs + pair_group);
    for (std::size_t pair = 0; pair < pair_group; ++pair) {
      EXPECT_FALSE(fits.unsure[pair]);
      told.push_back(fits.ellipsoid[pair]);
      told.push_back(fits.rounding[pair]);
    }
    return told;
  });
  expect_near(1e-5, [&] {
    PairFits fits(classes);
    fit_pairs(means, fits);
    std::vector<double> parts(pair_group * classes);
    for (std::size_t pair = 0; pair < pair_group; ++pair) {
      ellipsoid_lengths(rows, fits, pair, parts.data() + pair * classes);
    }
    return parts;
  });
}

}  // namespace
}  // namespace fsieve
