// The screen of pairs for many classes beside a ranking that wants every pair, so that nothing is
// screened: the same subsets and scores, to the last bit.
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "methods/union/pair_screen.h"
#include "methods/union/scorer.h"
#include "methods/union/unite.h"
#include "supervised_tables.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::load;
using testing::Loaded;
using testing::Random;

// Every second column moves with the class.
Columns columns_of_kind(const std::string& kind, std::size_t d, const std::vector<double>& y,
                        Random& random) {
  const std::size_t n = y.size();
  Columns x;
  for (std::size_t j = 0; j < d; ++j) {
    x.push_back(random.normals(n));
    if (kind == "noise") continue;
    const double moves = j % 2 == 0 ? random.uniform() : 0;
    for (std::size_t i = 0; i < n; ++i) {
      x[j][i] += moves * std::cos(y[i] * static_cast<double>(j + 1));
    }
  }
  if (kind == "copies") {
    for (std::size_t j = 3; j < d; j += 3) x[j] = x[j - 3];
    for (double& v : x[4]) v = 2 - 3 * v;
    x[5] = testing::product(x[0], x[1]);
    x[7] = testing::sum(1, x[1], 1e-3, x[2]);
  } else if (kind == "whole numbers") {
    for (auto& column : x) {
      for (double& v : column) v = std::round(v);
    }
  } else if (kind == "two-valued and real") {
    for (std::size_t j = 0; j < d; j += 2) {
      for (double& v : x[j]) v = v > 0.5 ? 1 : 0;
    }
  } else if (kind == "outliers") {
    for (auto& column : x) {
      for (double& v : column) v = v * v * v * v * v;
      column[random.below(n)] = 1e6;
    }
  }
  return x;
}

// Class 0 has a single row where `rare`.
std::vector<double> label(std::size_t n, std::size_t classes, bool rare, Random& random) {
  std::vector<double> y = random.codes(n, classes);
  if (rare) {
    for (std::size_t i = 1; i < n; ++i) y[i] = std::max(y[i], 1.0);
  }
  return y;
}

UnionResult ranked(const SubsetScorer& scorer, const SupervisedData& data, std::size_t top,
                   std::size_t united) {
  NoProgress progress;
  Ranking ranking(data.design.features.size(), top, united);
  scorer.score_all(2, ranking, progress);
  return {ranking.united(), ranking.best()};
}

void check(const SupervisedData& data, const std::vector<std::size_t>& united) {
  constexpr std::size_t all = std::size_t{1} << 20U;
  const auto scorer = make_projection_scorer(data);
  const std::size_t d = data.features.size();
  const auto [whole, every] = ranked(*scorer, data, all, d);
  ASSERT_EQ(every.size(), d * (d - 1) / 2);
  for (const std::size_t k : united) {
    const auto [chosen, best] = ranked(*scorer, data, 7, k);
    ASSERT_EQ(best.size(), std::min<std::size_t>(7, every.size()));
    for (std::size_t s = 0; s < best.size(); ++s) {
      ASSERT_EQ(best[s].features, every[s].features) << s;
      ASSERT_EQ(best[s].score, every[s].score) << s;
    }
    ASSERT_EQ(chosen.size(), std::min(k, d));
    for (std::size_t f = 0; f < chosen.size(); ++f) {
      ASSERT_EQ(chosen[f].feature, whole[f].feature) << f;
      ASSERT_EQ(chosen[f].score, whole[f].score) << f;
    }
  }
}

TEST(ClassPairs, TheScreenLosesNothing) {
  for (const std::string kind :
       {"real", "noise", "copies", "whole numbers", "two-valued and real", "outliers"}) {
    for (const std::size_t classes : {2, 3, 4, 5, 12}) {
      for (const std::size_t n : {15, 40, 210}) {
        for (const bool rare : {false, true}) {
          SCOPED_TRACE(kind + ", " + std::to_string(classes) + " classes, " + std::to_string(n) +
                       " rows" + (rare ? ", a rare class" : ""));
          Random random(n * 100 + classes * 2 + (rare ? 1 : 0));
          const std::vector<double> y = label(n, classes, rare, random);
          const Loaded loaded = load(columns_of_kind(kind, 24, y, random), y, Task::classification);
          check(loaded.data, {0, 1, 4, 12, 24});
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// On every row, no class is predicted above its share by more than the ellipsoid says, and what it
// says comes near to it somewhere.
TEST(ClassPairs, TheEllipsoidHoldsEveryClass) {
  constexpr std::size_t n = 4000;
  for (const std::size_t classes : {2, 3, 4, 7, 30}) {
    Random random(classes);
    const std::vector<double> y = label(n, classes, false, random);
    Columns raw = columns_of_kind("real", pair_group, y, random);
    raw.push_back(random.normals(n));
    const Loaded loaded = load(raw, y, Task::classification);
    const double* v = loaded.data.column(pair_group);
    std::vector<double> uuv(pair_group), uvv(pair_group), uuvv(pair_group), share(classes);
    std::vector<double> class_uv(classes * pair_group);
    std::vector<double> class_u(classes * (pair_group + 1));
    for (std::size_t i = 0; i < n; ++i) {
      const auto own = static_cast<std::size_t>(y[i]);
      share[own] += 1.0 / n;
      for (std::size_t b = 0; b <= pair_group; ++b) {
        const double u = loaded.data.column(b)[i];
        class_u[own * (pair_group + 1) + b] += u / n;
        if (b == pair_group) continue;
        class_uv[own * pair_group + b] += u * v[i] / n;
        uuv[b] += u * u * v[i] / n;
        uvv[b] += u * v[i] * v[i] / n;
        uuvv[b] += u * u * v[i] * v[i] / n;
      }
    }
    PairFits fits(classes);
    fit_pairs({classes, uuv.data(), uvv.data(), uuvv.data(), class_uv.data(), pair_group,
               class_u.data(), class_u.data() + pair_group, pair_group + 1, share.data()},
              fits);
    // One row that counts in each "class" of lengths.
    const std::size_t rows = n * class_rows_step;
    std::vector<float> u(rows), narrow_v(rows), weight(rows);
    std::vector<std::size_t> first(n + 1);
    std::vector<double> lengths(n);
    for (std::size_t i = 0; i < n; ++i) {
      narrow_v[i * class_rows_step] = static_cast<float>(v[i]);
      weight[i * class_rows_step] = 1;
      first[i + 1] = (i + 1) * class_rows_step;
    }
    double nearest = 1e300;
    for (std::size_t b = 0; b < pair_group; ++b) {
      ASSERT_FALSE(fits.unsure[b]);
      const double* column = loaded.data.column(b);
      for (std::size_t i = 0; i < n; ++i) u[i * class_rows_step] = static_cast<float>(column[i]);
      ellipsoid_lengths({u.data(), narrow_v.data(), weight.data(), first.data(), n}, fits, b,
                        lengths.data());
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double x = column[i];
        const double functions[3] = {
            x, fits.v[0][b] * v[i] + fits.v[1][b] * x,
            fits.v[2][b] * x * v[i] + fits.v[3][b] * v[i] + fits.v[4][b] * x + fits.v[5][b]};
        double largest = 0;
        for (std::size_t k = 0; k < classes; ++k) {
          double predicted = 0;
          for (std::size_t s = 0; s < 3; ++s) {
            predicted += fits.f[(3 * k + s) * pair_group + b] * functions[s];
          }
          largest = std::max(largest, predicted);
        }
        ASSERT_GE(lengths[i], largest - 1e-9) << i;
        if (largest > 0) nearest = std::min(nearest, lengths[i] / largest);
        sum += lengths[i];
      }
      EXPECT_LE(sum, n * fits.ellipsoid[b] * (1 + 1e-6));
    }
    EXPECT_LT(nearest, classes == 2 ? 1.001 : 1.05);
  }
}

// Several tiles and groups of pairs, and classes of many rows; any number of threads.
TEST(ClassPairs, TheScreenLosesNothingOfManyPairs) {
  Random random(77);
  const std::vector<double> y = label(2700, 3, false, random);
  check(load(columns_of_kind("real", 150, y, random), y, Task::classification).data, {5});
  const std::vector<double> many = label(300, 26, false, random);
  const Loaded loaded =
      load(columns_of_kind("copies", 203, many, random), many, Task::classification);
  for (const int threads : {1, 2, 7}) {
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism,
                                      static_cast<std::size_t>(threads));
    tbb::task_arena(threads).execute([&] { check(loaded.data, {3, 40, 150, 203}); });
  }
}

}  // namespace
}  // namespace fsieve
