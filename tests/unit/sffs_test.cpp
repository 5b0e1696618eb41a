// The forward search on planted truth: what the papers' sets and the usual traps demand.
#include "fsieve/sffs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fsieve/error.h"
#include "fsieve/generate.h"
#include "supervised_tables.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::last_as_label;
using testing::Random;

std::vector<std::size_t> chosen(const Source& source, const SffsOptions& options) {
  NoProgress progress;
  std::vector<std::size_t> features;
  for (const RelevantFeature& feature : sffs(source, options, progress).selected) {
    features.push_back(feature.feature);
  }
  std::sort(features.begin(), features.end());
  return features;
}

SffsOptions options_for(std::optional<std::size_t> k, int depth) {
  SffsOptions options;
  options.folds = 0;
  options.k = k;
  options.depth = depth;
  return options;
}

std::vector<double> sign_of(std::vector<double> values) {
  for (double& value : values) value = value > 0 ? 1 : -1;
  return values;
}

std::vector<double> flipped(std::vector<double> y, double share, Random& random) {
  for (double& value : y) value = random.uniform() < share ? -value : value;
  return y;
}

// 000 section 6: the label is a function of the first six of twenty features.
TEST(Sffs, FindsTheSixOfE1AndE2) {
  for (const SetKind kind : {SetKind::e1, SetKind::e2}) {
    int automatic = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const auto source = synthetic_set({kind, 1000, seed});
      EXPECT_THAT(chosen(*source, options_for(6, 3)), ::testing::ElementsAre(0, 1, 2, 3, 4, 5))
          << "seed " << seed;
      automatic += chosen(*source, options_for(std::nullopt, 3)) ==
                   std::vector<std::size_t>{0, 1, 2, 3, 4, 5};
    }
    EXPECT_GE(automatic, 17);
  }
}

// t = k: all C(20, 6) subsets, the exhaustive search of Theorem 2.
TEST(Sffs, TheExhaustiveSearchFindsTheSixOfE1) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SffsOptions options = options_for(6, 6);
    options.search = Search::unite;
    EXPECT_THAT(chosen(*synthetic_set({SetKind::e1, 1000, seed}), options),
                ::testing::ElementsAre(0, 1, 2, 3, 4, 5))
        << "seed " << seed;
  }
}

TEST(Sffs, FindsXorAmongNoise) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    Columns columns;
    for (int j = 0; j < 1000; ++j) columns.push_back(random.signs(500));
    columns.push_back(flipped(testing::product(columns[123], columns[777]), 0.1, random));
    const MemorySource source = last_as_label(columns);
    EXPECT_THAT(chosen(source, options_for(2, 2)), ::testing::ElementsAre(123, 777));
    EXPECT_THAT(chosen(source, options_for(std::nullopt, 2)), ::testing::ElementsAre(123, 777));
  }
}

// The first round has no use for the pairs: one feature says the same.
TEST(Sffs, LaterRoundsFindPairsThatSayTheSameAgain) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    Columns columns;
    for (int j = 0; j < 300; ++j) columns.push_back(random.signs(500));
    columns[0] = testing::product(columns[1], columns[2]);
    columns[4] = testing::product(columns[3], columns[0]);
    columns.push_back(flipped(columns[0], 0.1, random));
    EXPECT_THAT(chosen(last_as_label(columns), options_for(5, 2)),
                ::testing::ElementsAre(0, 1, 2, 3, 4))
        << "seed " << seed;
  }
}

TEST(Sffs, FindsThreeWayParity) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    Columns columns;
    for (int j = 0; j < 100; ++j) columns.push_back(random.signs(1000));
    const auto parity = testing::product(testing::product(columns[5], columns[50]), columns[95]);
    columns.push_back(flipped(parity, 0.1, random));
    EXPECT_THAT(chosen(last_as_label(columns), options_for(std::nullopt, 3)),
                ::testing::ElementsAre(5, 50, 95));
  }
}

TEST(Sffs, TakesOneOfManyCopies) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    const auto a = random.normals(500);
    const auto b = random.normals(500);
    Columns columns;
    for (int j = 0; j < 200; ++j) {
      columns.push_back(j % 10 == 3 ? a : j % 10 == 7 ? b : random.normals(500));
    }
    columns.push_back(sign_of(testing::sum(1, a, 0.8, b)));
    const MemorySource source = last_as_label(columns);
    for (const bool reduced : {false, true}) {
      for (const int depth : {1, 2}) {
        SffsOptions options = options_for(2, depth);
        if (reduced) options.reduce = std::vector<Stage>{{1, 0}};
        const auto found = chosen(source, options);
        ASSERT_EQ(found.size(), 2U);
        EXPECT_NE(found[0] % 10, found[1] % 10);
        for (const std::size_t feature : found) EXPECT_TRUE(feature % 10 == 3 || feature % 10 == 7);
      }
    }
  }
}

// A copy in another unit says as much of the label as the feature, and nothing beside it. It was
// taken before noise, and before weak features.
TEST(Sffs, CopiesOfSelectedFeaturesComeLast) {
  Random random(4);
  Columns columns;
  for (int j = 0; j < 8; ++j) columns.push_back(random.normals(400));
  columns.push_back(testing::sum(-2.5, columns[1], 0, columns[0]));
  columns.push_back(testing::sum(0.1, columns[6], 0, columns[0]));
  columns.push_back(sign_of(testing::sum(1, columns[1], 0.8, columns[6])));
  const MemorySource source = last_as_label(columns);
  for (const int depth : {1, 2}) {
    const SffsResult all = sffs(source, options_for(10, depth));
    ASSERT_EQ(all.selected.size(), 10U);
    std::vector<std::size_t> last{all.selected[8].feature, all.selected[9].feature};
    std::sort(last.begin(), last.end());
    EXPECT_THAT(last, ::testing::ElementsAre(8, 9)) << depth;
    const SffsResult nine = sffs(source, options_for(9, depth));
    for (std::size_t i = 0; i < 9; ++i) {
      EXPECT_EQ(nine.selected[i].feature, all.selected[i].feature) << depth << ", " << i;
    }
  }
  SffsOptions kept = options_for(3, 1);
  kept.keep = {source.schema().features[8].name};
  EXPECT_EQ(sffs(source, kept).selected[0].feature, 8U);
}

TEST(Sffs, GivesEquationsOfReducedFeaturesUnlessTheyAreNotWanted) {
  Random random(3);
  Columns columns{random.normals(200), random.normals(200)};
  columns.push_back(testing::sum(1, columns[0], 1, columns[1]));
  columns.push_back(sign_of(columns[0]));
  SffsOptions options = options_for(1, 1);
  options.reduce = std::vector<Stage>{{1, 0}};
  for (const bool wanted : {true, false}) {
    options.equations = wanted;
    NoProgress progress;
    const SffsResult found = sffs(last_as_label(columns), options, progress);
    ASSERT_EQ(found.reduced->removed.size(), 1U);
    EXPECT_EQ(found.reduced->removed[0].feature, 2U);
    EXPECT_EQ(found.reduced->removed[0].equations.size(), wanted ? 1U : 0U);
  }
}

TEST(Sffs, FindsASingleFeatureBesideAHiddenPair) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    Columns columns;
    for (int j = 0; j < 300; ++j) columns.push_back(random.normals(800));
    auto y = testing::sum(1, columns[0], 1.2, testing::product(columns[1], columns[2]));
    y = testing::sum(1, y, 0.5, random.normals(800));
    columns.push_back(sign_of(y));
    EXPECT_THAT(chosen(last_as_label(columns), options_for(3, 2)), ::testing::ElementsAre(0, 1, 2));
  }
}

// 300 x 500, a hundred draws at alpha = 0.01.
TEST(Sffs, FindsNothingInNoise) {
  int nothing[2] = {};
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    Columns columns;
    for (int j = 0; j < 500; ++j) columns.push_back(random.normals(300));
    columns.push_back(random.signs(300));
    const MemorySource source = last_as_label(columns);
    for (const int depth : {1, 2}) {
      nothing[depth - 1] += chosen(source, options_for(std::nullopt, depth)).empty() ? 1 : 0;
    }
  }
  EXPECT_GE(nothing[0], 97);
  EXPECT_GE(nothing[1], 97);
}

TEST(Sffs, ABeamOfOneIsTheForwardSearch) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto source = synthetic_set({SetKind::e2, 400, seed});
    SffsOptions options = options_for(8, 2);
    const auto forward = chosen(*source, options);
    options.search = Search::beam;
    EXPECT_EQ(chosen(*source, options), forward);
    options.beam = 4;
    EXPECT_EQ(chosen(*source, options).size(), 8U);
  }
}

TEST(Sffs, ShufflesConvinceLikeTheFTest) {
  Random random(5);
  Columns columns;
  for (int j = 0; j < 40; ++j) columns.push_back(random.signs(300));
  columns.push_back(flipped(testing::product(columns[3], columns[30]), 0.1, random));
  SffsOptions options = options_for(std::nullopt, 2);
  options.permutations = 199;
  EXPECT_THAT(chosen(last_as_label(columns), options), ::testing::ElementsAre(3, 30));
  columns.back() = random.signs(300);
  EXPECT_THAT(chosen(last_as_label(columns), options), ::testing::IsEmpty());
}

TEST(Sffs, CurvesAndBinsSeeWhatIsNotMonotone) {
  Random random(6);
  Columns columns;
  for (int j = 0; j < 20; ++j) columns.push_back(random.normals(800));
  std::vector<double> y;
  for (const double x : columns[7]) y.push_back(std::abs(x) < 0.67 ? 1 : -1);
  columns.push_back(y);
  SffsOptions options = options_for(std::nullopt, 1);
  EXPECT_THAT(chosen(last_as_label(columns), options), ::testing::ElementsAre(7));
  options.shape = Shape::plain;
  EXPECT_THAT(chosen(last_as_label(columns), options), ::testing::IsEmpty());
  options.shape = Shape::curve;
  options.bins = 4;
  EXPECT_THAT(chosen(last_as_label(columns), options), ::testing::ElementsAre(7));
}

TEST(Sffs, RegressionAndManyClasses) {
  Random random(3);
  Columns columns;
  for (int j = 0; j < 30; ++j) columns.push_back(random.normals(600));
  auto y = testing::sum(2, columns[4], 3, testing::product(columns[8], columns[9]));
  y = testing::sum(1, y, 0.3, random.normals(600));
  columns.push_back(y);
  EXPECT_THAT(chosen(last_as_label(columns), options_for(std::nullopt, 2)),
              ::testing::ElementsAre(4, 8, 9));
  for (double& value : columns.back()) value = value < -1 ? 0 : value < 1 ? 1 : 2;
  EXPECT_THAT(chosen(last_as_label(columns), options_for(3, 2)), ::testing::ElementsAre(4, 8, 9));
}

TEST(Sffs, AFixedNumberIsFoundInAnyNumberOfRows) {
  const MemorySource source =
      last_as_label({{1, 2, 3, 4, 5}, {2, 1, 2, 1, 1}, {5, 1, 4, 2, 9}, {0, 0, 1, 1, 1}});
  EXPECT_EQ(chosen(source, options_for(3, 2)).size(), 3U);
  EXPECT_THAT(chosen(source, options_for(std::nullopt, 2)), ::testing::IsEmpty());
}

// A shorter path begins a longer one.
TEST(Sffs, PathsAreNested) {
  NoProgress progress;
  Random random(12);
  Columns columns;
  for (int j = 0; j < 40; ++j) columns.push_back(random.normals(300));
  auto y = testing::sum(1, testing::product(columns[1], columns[2]), 0.7, columns[3]);
  y = testing::sum(1, y, 0.8, testing::product(columns[8], columns[9]));
  columns.push_back(sign_of(y));
  const MemorySource source = last_as_label(columns);
  const SffsResult longest = sffs(source, options_for(12, 2), progress);
  ASSERT_EQ(longest.selected.size(), 12U);
  for (std::size_t k = 1; k < 12; ++k) {
    const SffsResult shorter = sffs(source, options_for(k, 2), progress);
    ASSERT_EQ(shorter.selected.size(), k);
    for (std::size_t i = 0; i < k; ++i) {
      EXPECT_EQ(shorter.selected[i].feature, longest.selected[i].feature) << k << ", " << i;
      EXPECT_EQ(shorter.selected[i].p_value, std::nullopt);
      EXPECT_EQ(shorter.selected[i].round, std::nullopt);
    }
  }
}

TEST(Sffs, RefusesWhatCannotBe) {
  NoProgress progress;
  const MemorySource source = last_as_label({{1, 2, 3, 4}, {0, 1, 0, 1}});
  const SffsResult all = sffs(source, options_for(2, 1), progress);
  EXPECT_EQ(all.selected.size(), 1U);
  EXPECT_EQ(all.warnings.size(), 1U);
  const MemorySource constant = last_as_label({{1, 2, 3, 4}, {1, 1, 1, 1}});
  EXPECT_THROW((void)sffs(constant, options_for(1, 1), progress), Error);
}

}  // namespace
}  // namespace fsieve
