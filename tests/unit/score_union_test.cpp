// Algorithm 1 of 000 beside a plain sort of all subsets, and the same for any number of threads.
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "bits/subset_tiles.h"
#include "methods/union/scorer.h"
#include "methods/union/sign_table.h"
#include "methods/union/unite.h"
#include "supervised_tables.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::load;
using testing::Loaded;
using testing::Random;
using Subset = std::vector<std::size_t>;

// Every subset scored, sorted, united.
UnionResult plainly(const SupervisedData& data, const SffsOptions& options) {
  const auto scorer = make_scorer(data, options);
  std::vector<ScoredSubset> all;
  const std::size_t d = data.features.size();
  const auto depth = static_cast<std::size_t>(options.depth);
  for (std::size_t size = options.score == Score::l2 ? 1 : depth; size <= depth; ++size) {
    for (std::size_t k = 0; k < choose_exactly(d, size); ++k) {
      ScoredSubset subset;
      for (const std::size_t place : subset_of_number(k, size)) {
        subset.features.push_back(data.features[place]);
      }
      subset.score = std::round(scorer->score(subset.features) * 1e12) / 1e12;
      all.push_back(subset);
    }
  }
  std::sort(all.begin(), all.end(), [](const ScoredSubset& a, const ScoredSubset& b) {
    return a.score != b.score ? a.score > b.score : a.features < b.features;
  });
  UnionResult result;
  for (const ScoredSubset& subset : all) {
    for (const std::size_t j : subset.features) {
      const bool in = std::any_of(result.chosen.begin(), result.chosen.end(),
                                  [&](const UnitedFeature& f) { return f.feature == j; });
      if (!in && result.chosen.size() < *options.k) result.chosen.push_back({j, subset.score});
    }
  }
  all.resize(std::min(all.size(), options.top));
  result.subsets = all;
  return result;
}

void expect_same(const UnionResult& a, const UnionResult& b, double tolerance) {
  ASSERT_EQ(a.chosen.size(), b.chosen.size());
  for (std::size_t k = 0; k < a.chosen.size(); ++k) {
    EXPECT_EQ(a.chosen[k].feature, b.chosen[k].feature) << k;
    EXPECT_NEAR(a.chosen[k].score, b.chosen[k].score, tolerance);
  }
  ASSERT_EQ(a.subsets.size(), b.subsets.size());
  for (std::size_t k = 0; k < a.subsets.size(); ++k) {
    EXPECT_EQ(a.subsets[k].features, b.subsets[k].features) << k;
    EXPECT_NEAR(a.subsets[k].score, b.subsets[k].score, tolerance);
  }
}

TEST(Union, IsAlgorithmOne) {
  for (const bool real : {false, true}) {
    for (const Score score : {Score::l1, Score::l2}) {
      for (const std::size_t k : {1, 4, 17, 30}) {
        Random random(k + (real ? 100 : 0));
        Columns x;
        for (int j = 0; j < 30; ++j) x.push_back(real ? random.normals(80) : random.signs(80));
        if (!real) x[9] = x[4];  // ties
        std::vector<double> y = random.signs(80);
        for (std::size_t i = 0; i < 80; i += 2) y[i] = x[4][i] * x[20][i] > 0 ? 1 : -1;
        const Loaded loaded = load(x, y, Task::classification);
        SffsOptions options;
        options.k = k;
        options.score = score;
        options.top = 7;
        NoProgress progress;
        for (const int depth : {1, 2, 3}) {
          options.depth = depth;
          expect_same(unite(loaded.data, *loaded.source, options, progress),
                      plainly(loaded.data, options), 2e-12);
        }
      }
    }
  }
}

TEST(Union, LargerDepthThanCandidates) {
  Random random(1);
  const Loaded loaded = load({random.signs(20), std::vector<double>(20, 3.0), random.signs(20)},
                             random.signs(20), Task::classification);
  SffsOptions options;
  options.k = 2;
  options.depth = 3;
  NoProgress progress;
  const UnionResult result = unite(loaded.data, *loaded.source, options, progress);
  ASSERT_EQ(result.subsets.size(), 1U);
  EXPECT_EQ(result.subsets[0].features, (Subset{0, 2}));
  ASSERT_EQ(result.chosen.size(), 2U);
}

TEST(Union, SameForAnyNumberOfThreads) {
  for (const bool real : {false, true}) {
    Random random(9);
    Columns x;
    std::vector<std::size_t> levels(150, 0);
    for (int j = 0; j < 150; ++j) x.push_back(real ? random.normals(120) : random.signs(120));
    if (!real) {
      levels[7] = 5;
      x[7] = random.codes(120, 5);
    }
    const Loaded loaded = load(x, random.signs(120), Task::classification, levels);
    for (const int depth : {2, 3}) {
      if (real && depth == 3) continue;
      SffsOptions options;
      options.k = 40;
      options.depth = depth;
      NoProgress progress;
      std::vector<UnionResult> results;
      for (const int threads : {1, 2, 7}) {
        const tbb::global_control control(tbb::global_control::max_allowed_parallelism,
                                          static_cast<std::size_t>(threads));
        tbb::task_arena(threads).execute(
            [&] { results.push_back(unite(loaded.data, *loaded.source, options, progress)); });
      }
      expect_same(results[0], results[1], 0.0);
      expect_same(results[0], results[2], 0.0);
    }
  }
}

// Two-valued numbers read as bits, and nothing else, tell what the whole table does.
TEST(Union, OfBitsAlone) {
  Random random(4);
  const std::size_t rows = 700;
  Columns x;
  for (int j = 0; j < 23; ++j) {
    x.push_back(random.signs(rows));
    for (double& value : x.back()) value = value > 0 ? 1e7 * j : -0.1;
  }
  x[5].assign(rows, 3.0);
  x[9] = x[4];
  std::vector<double> y = random.signs(rows);
  for (std::size_t i = 0; i < rows; i += 3) y[i] = x[4][i] * x[20][i] > 0 ? 1 : -1;
  const Loaded loaded = load(x, y, Task::classification);
  NoProgress progress;
  const std::optional<SignTable> signs = SignTable::read(*loaded.source, Task::automatic, progress);
  ASSERT_TRUE(signs);
  EXPECT_EQ(signs->data.features, loaded.data.features);
  EXPECT_EQ(signs->data.label.codes, loaded.data.label.codes);
  SffsOptions options;
  options.k = 9;
  options.top = 12;
  for (const int depth : {2, 3, 4}) {
    options.depth = depth;
    expect_same(unite(*signs, options, progress),
                unite(loaded.data, *loaded.source, options, progress), 0.0);
  }
  const Subset few{2, 9, 20};
  const SupervisedData columns = signs->with_columns_of(few, progress);
  for (std::size_t c = 0; c < few.size(); ++c) {
    const double* whole = loaded.data.column(loaded.data.design.features[few[c]].first);
    EXPECT_TRUE(std::equal(whole, whole + rows, columns.column(c)));
  }
}

TEST(Union, OfBitsIsNotForOtherTables) {
  Random random(5);
  const Columns x{random.signs(50), random.signs(50), random.signs(50)};
  const auto can_be_read = [](const Columns& columns, const std::vector<double>& y, Task task,
                              const std::vector<std::size_t>& levels = {}) {
    NoProgress progress;
    const Loaded loaded = load(columns, y, task, levels);
    return SignTable::read(*loaded.source, task, progress).has_value();
  };
  EXPECT_TRUE(can_be_read(x, random.signs(50), Task::automatic));
  EXPECT_FALSE(can_be_read(x, random.signs(50), Task::regression));
  EXPECT_FALSE(can_be_read(x, random.codes(50, 3), Task::automatic));
  EXPECT_FALSE(can_be_read({x[0], random.normals(50)}, random.signs(50), Task::automatic));
  EXPECT_FALSE(can_be_read({x[0], random.codes(50, 2)}, random.signs(50), Task::automatic, {0, 2}));
  EXPECT_FALSE(
      can_be_read({x[0], std::vector<double>(50, 1.0)}, random.signs(50), Task::automatic));
  Columns extreme = x;
  for (double& value : extreme[1]) value *= 1e-120;
  EXPECT_FALSE(can_be_read(extreme, random.signs(50), Task::automatic));
}

TEST(Union, NumbersOfSubsets) {
  for (std::size_t size = 0; size <= 6; ++size) {
    for (std::size_t k = 0; k < choose_exactly(13, size); ++k) {
      const Subset subset = subset_of_number(k, size);
      EXPECT_EQ(subset_number(subset), k);
      EXPECT_TRUE(std::is_sorted(subset.begin(), subset.end()));
    }
  }
}

}  // namespace
}  // namespace fsieve
