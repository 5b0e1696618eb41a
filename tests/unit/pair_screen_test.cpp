// The screen of pairs in whole numbers: it never rules out a pair that comes to the limit, and what
// a scan hands over is what a loop over all pairs finds best.
#include "methods/forward/pair_screen.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <set>

#include "methods/forward/subset_scan.h"
#include "supervised_tables.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::Random;
using Pair = std::pair<std::size_t, std::size_t>;

struct Pairs {
  std::size_t rows;
  std::vector<double> values, weight, residual, terms;

  [[nodiscard]] double promise(std::size_t u, std::size_t v) const {
    double sum = 0;
    double norm = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      norm += std::pow(weight[i] * values[u * rows + i] * values[v * rows + i], 2);
    }
    for (std::size_t y = 0; y < residual.size() / rows; ++y) {
      double inner = 0;
      for (std::size_t i = 0; i < rows; ++i) {
        inner += weight[i] * values[u * rows + i] * values[v * rows + i] * residual[y * rows + i];
      }
      sum += inner * inner;
    }
    return (norm > 0 ? sum / norm : 0) + terms[u] + terms[v];
  }
};

// `power`: of normal numbers, which makes their tails long; `rare`: a share of rows, or 0.
Pairs made_up(std::size_t rows, std::size_t count, std::size_t labels, double power, double rare,
              std::uint64_t seed) {
  Random random(seed);
  Pairs pairs{rows, {}, {}, {}, {}};
  for (std::size_t c = 0; c < count; ++c) {
    std::vector<double> column = rare > 0 ? random.signs(rows, rare) : random.normals(rows);
    double mean = 0;
    for (double& value : column) {
      value = std::copysign(std::pow(std::abs(value), power), value);
      mean += value / static_cast<double>(rows);
    }
    double square = 0;
    for (const double value : column) square += std::pow(value - mean, 2);
    const double scale = square > 0 ? std::sqrt(static_cast<double>(rows) / square) : 0;
    for (const double value : column) pairs.values.push_back((value - mean) * scale);
    pairs.terms.push_back(static_cast<double>(random.below(100)) / 100);
  }
  for (std::size_t i = 0; i < rows; ++i) {
    pairs.weight.push_back(std::sqrt(static_cast<double>(1 + random.below(3))));
  }
  pairs.residual = random.normals(labels * rows);
  return pairs;
}

// How many pairs passed; all that must have.
std::size_t expect_nothing_lost(const Pairs& pairs, std::size_t wanted) {
  const std::size_t count = pairs.terms.size();
  std::vector<double> promises;
  for (std::size_t v = 0; v < count; ++v) {
    for (std::size_t u = 0; u < v; ++u) promises.push_back(pairs.promise(u, v));
  }
  std::sort(promises.begin(), promises.end(), std::greater<>());
  const double limit = promises[wanted - 1];
  std::mutex guard;
  std::set<Pair> found;
  const PairScreen screen(pairs.rows, pairs.values.data(), pairs.terms, pairs.weight,
                          pairs.residual);
  const auto left = screen.for_each([&] { return limit; },
                                    [&](std::size_t u, std::size_t v) {
                                      const std::lock_guard lock(guard);
                                      EXPECT_LT(u, v);
                                      EXPECT_LT(v, count);
                                      EXPECT_TRUE(found.emplace(u, v).second);
                                    });
  for (std::size_t q = 0; q < count; ++q) {
    for (std::size_t p = 0; p < q; ++p) {
      const std::size_t u = std::min(screen.order()[p], screen.order()[q]);
      const std::size_t v = std::max(screen.order()[p], screen.order()[q]);
      const bool later = std::any_of(left.begin(), left.end(), [&](const PromiseTile& tile) {
        return tile.u0 <= p && p < tile.u1 && tile.v0 <= q && q < tile.v1;
      });
      EXPECT_FALSE(later && found.contains({u, v}));  // offered once
      if (pairs.promise(u, v) >= limit) {
        EXPECT_TRUE(later || found.contains({u, v})) << u << " " << v;
      }
    }
  }
  return found.size();
}

TEST(PairScreen, LosesNoPairThatComesToTheLimit) {
  std::uint64_t seed = 0;
  for (const std::size_t rows : {7U, 72U, 501U}) {
    for (const std::size_t labels : {1U, 3U}) {
      for (const double power : {1.0, 5.0}) {
        for (const double rare : {0.0, 0.02, 0.4}) {
          expect_nothing_lost(made_up(rows, 75, labels, power, rare, ++seed), 20);
        }
      }
    }
  }
}

// Sums of squares of such labels are infinite in single precision: nearly every pair may pass, but
// none beyond the last column (of 75, where panels have 32).
TEST(PairScreen, NoPairIsBeyondTheLastColumn) {
  Pairs pairs = made_up(72, 75, 1, 1, 0, 5);
  for (double& value : pairs.residual) value *= 1e20;
  EXPECT_LE(expect_nothing_lost(pairs, 20), 75U * 74 / 2);
}

TEST(PairScreen, PaysForManyColumnsAndFewClasses) {
  EXPECT_TRUE(PairScreen::pays(476, 166, 1));
  EXPECT_TRUE(PairScreen::pays(9298, 256, 10));
  EXPECT_FALSE(PairScreen::pays(20'000, 40, 400));   // as many pairs pass at first
  EXPECT_FALSE(PairScreen::pays(20'000, 400, 400));  // half a gigabyte for every thread
  EXPECT_FALSE(PairScreen::pays(2'000'000, 400, 1));
}

TEST(PairScreen, RulesOutMostPairs) {
  const Pairs pairs = made_up(300, 200, 1, 1, 0, 9);
  EXPECT_LT(expect_nothing_lost(pairs, 50), 60U);  // of 19 900, of which 50 must pass
}

// Columns of one large number each: rounding leaves nothing of their products, so most pairs
// might pass, and are left to another way.
TEST(PairScreen, LeavesUnevenColumnsToOthers) {
  const Pairs pairs = made_up(400, 500, 1, 15, 0, 4);
  const PairScreen screen(pairs.rows, pairs.values.data(), pairs.terms, pairs.weight,
                          pairs.residual);
  std::atomic<std::size_t> passed = 0;
  const auto left =
      screen.for_each([] { return 50.0; }, [&](std::size_t, std::size_t) { ++passed; });
  EXPECT_FALSE(left.empty());
  EXPECT_LT(passed, 500 * 499 / 4) << passed;
}

TEST(PairScreen, AScanFindsTheBestPairs) {
  for (const double power : {1.0, 7.0}) {
    Random random(static_cast<std::uint64_t>(power));
    const std::size_t n = 120;
    Columns columns;
    for (std::size_t c = 0; c < 90; ++c) {
      columns.push_back(random.normals(n));
      for (double& value : columns.back()) {
        value = std::copysign(std::pow(std::abs(value), power), value);
      }
    }
    const auto table = testing::load(columns, random.normals(n), Task::regression);
    const SupervisedData& data = table.data;
    const std::vector<double> residual = data.label.scaled_columns();
    Pairs pairs{n, {}, data.unit, residual, std::vector<double>(columns.size())};
    pairs.values.assign(data.standardised.data(), data.standardised.data() + n * columns.size());
    std::vector<std::pair<double, Pair>> best;
    for (std::size_t v = 0; v < columns.size(); ++v) {
      for (std::size_t i = 0; i < n; ++i) pairs.terms[v] += residual[i] * pairs.values[v * n + i];
      pairs.terms[v] *= pairs.terms[v] / static_cast<double>(n);
      for (std::size_t u = 0; u < v; ++u) best.push_back({-pairs.promise(u, v), {u, v}});
    }
    std::sort(best.begin(), best.end());
    NoProgress quiet;
    const auto found = promising_subsets(data, residual, data.features, 2, 0, 40, nullptr, quiet);
    ASSERT_EQ(found.size(), 40U);
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_EQ(found[k], (std::vector<std::size_t>{best[k].second.first, best[k].second.second}));
    }
  }
}

}  // namespace
}  // namespace fsieve
