// What a search found, judged from sums over all rows: where the sample is all rows, nothing
// changes.
#include "methods/forward/all_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "data/supervised_data.h"
#include "data/table_facts.h"
#include "fsieve/sffs.h"
#include "methods/forward/forward.h"
#include "methods/union/scorer.h"
#include "stats/fold.h"
#include "tables.h"

namespace fsieve::testing {
namespace {

constexpr double agree = 1e-9;

enum class Kind { two_classes, more_classes, number };

// Numbers, a two-valued column, a category of three levels, a copy, and a label of the first four.
MemorySource labelled_table(Kind kind, bool with_weights, std::size_t rows) {
  Random random(static_cast<std::uint64_t>(kind) + 7);
  Columns columns{random.normals(rows),  random.normals(rows), random.signs(rows, 0.4),
                  random.codes(rows, 3), random.normals(rows), random.normals(rows)};
  columns.push_back(columns[0]);
  std::vector<double> y = random.normals(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    y[i] += columns[0][i] * columns[1][i] + columns[2][i] + (columns[3][i] == 1 ? 1.5 : 0) +
            columns[4][i] * columns[4][i];
    if (kind == Kind::two_classes) y[i] = y[i] > 1 ? 1 : 0;
    if (kind == Kind::more_classes) y[i] = y[i] > 2 ? 2 : y[i] > 0.5 ? 1 : 0;
  }
  columns.push_back(y);
  const MemorySource features = table(columns, {0, 0, 0, 3});
  Schema schema = features.schema();
  schema.label = schema.features.back();
  schema.features.pop_back();
  std::vector<double> weights;
  for (std::size_t i = 0; i < rows && with_weights; ++i) {
    weights.push_back(1 + static_cast<double>(i % 3));
  }
  return {schema, {features.in_memory().begin(), features.in_memory().end()}, rows, weights};
}

struct Searched {
  explicit Searched(const MemorySource& rows)
      : source(rows),
        data(make_supervised_data(rows, Task::automatic, quiet)),
        facts(fold(rows, TableFacts(rows.schema(), 50), "", quiet)),
        all_rows(rows, make_design(rows.schema(), rows.rows(), facts.moments()),
                 WholeLabel(rows.schema(), facts, data.label)) {}

  [[nodiscard]] ForwardResult search(SffsOptions options, const Wishes& wishes, Shape shape,
                                     bool judged) {
    options.shape = shape;
    return search_forward(data, options, wishes, true, quiet, judged ? &all_rows : nullptr);
  }

  const MemorySource& source;
  NoProgress quiet;
  SupervisedData data;
  TableFacts facts;
  AllRows all_rows;
};

void expect_equal(const ForwardResult& a, const ForwardResult& b) {
  ASSERT_EQ(a.selected.size(), b.selected.size());
  for (std::size_t k = 0; k < a.selected.size(); ++k) {
    EXPECT_EQ(a.selected[k].feature, b.selected[k].feature);
    EXPECT_NEAR(a.selected[k].score, b.selected[k].score, agree);
    ASSERT_EQ(a.selected[k].p_value.has_value(), b.selected[k].p_value.has_value());
    if (a.selected[k].p_value) {
      EXPECT_NEAR(*a.selected[k].p_value, *b.selected[k].p_value, agree);
    }
  }
  ASSERT_EQ(a.substitutes.size(), b.substitutes.size());
  for (std::size_t k = 0; k < a.substitutes.size(); ++k) {
    EXPECT_EQ(a.substitutes[k].feature, b.substitutes[k].feature);
    EXPECT_EQ(a.substitutes[k].instead_of, b.substitutes[k].instead_of);
    EXPECT_NEAR(a.substitutes[k].loss, b.substitutes[k].loss, agree);
  }
  ASSERT_EQ(a.ranking.size(), b.ranking.size());
  std::map<std::size_t, FeatureWorth> of_b;
  for (const FeatureWorth& worth : b.ranking) of_b[worth.feature] = worth;
  for (const FeatureWorth& worth : a.ranking) {
    const FeatureWorth& twin = of_b[worth.feature];
    EXPECT_NEAR(worth.gain, twin.gain, agree) << "feature " << worth.feature;
    ASSERT_EQ(worth.p_value.has_value(), twin.p_value.has_value()) << worth.feature;
    if (worth.p_value) {
      EXPECT_NEAR(*worth.p_value, *twin.p_value, 1e-6) << worth.feature;
    }
  }
}

TEST(AllRows, SayWhatASampleOfAllRowsSays) {
  for (const Kind kind : {Kind::two_classes, Kind::more_classes, Kind::number}) {
    for (const bool weights : {false, true}) {
      const MemorySource source = labelled_table(kind, weights, 400);
      Searched searched(source);
      for (const Shape shape : {Shape::plain, Shape::curve}) {
        for (const bool certain : {false, true}) {
          SCOPED_TRACE(::testing::Message()
                       << "kind " << static_cast<int>(kind) << " weights " << weights << " shape "
                       << static_cast<int>(shape) << " certain " << certain);
          SffsOptions options;
          if (!certain) options.k = 6;
          const Wishes none;
          expect_equal(searched.search(options, none, shape, true),
                       searched.search(options, none, shape, false));
        }
      }
    }
  }
}

// Rows of weight 0, one of them of a class that no other row has.
TEST(AllRows, AreThoseThatHaveAWeight) {
  const MemorySource source = labelled_table(Kind::two_classes, false, 3000);
  std::vector<double> values(source.in_memory().begin(), source.in_memory().end());
  std::vector<double> weights(source.rows(), 1.0);
  for (std::size_t i = 0; i < weights.size(); i += 10) weights[i] = 0;
  values.end()[-3000] = 7;
  SffsOptions options;
  options.k = 3;
  options.folds = 0;
  NoProgress quiet;
  const SffsResult whole =
      sffs(MemorySource(source.schema(), values, 3000, weights), options, quiet);
  options.sample = 1500;
  const SffsResult sampled =
      sffs(MemorySource(source.schema(), values, 3000, weights), options, quiet);
  EXPECT_EQ(sampled.sample_rows, 1500U);
  EXPECT_EQ(sampled.classes, whole.classes);
  ASSERT_EQ(sampled.selected.size(), 3U);
  EXPECT_EQ(sampled.selected[0].feature, whole.selected[0].feature);
  EXPECT_NEAR(sampled.selected[0].score, whole.selected[0].score, 1e-3);
}

// One feature is wanted, and beside it another would add more: more rows would say the same.
TEST(AllRows, AreNotSearchedForWhatTheSampleHasSeen) {
  constexpr std::size_t rows = 4000;
  Random random(6);
  Columns columns;
  for (int j = 0; j < 4; ++j) columns.push_back(random.normals(rows));
  Schema schema = table(columns).schema();
  std::vector<double> values;
  for (const auto& column : columns) values.insert(values.end(), column.begin(), column.end());
  for (std::size_t i = 0; i < rows; ++i) {
    values.push_back(0.5 * columns[0][i] + columns[0][i] * columns[1][i] + 0.1 * columns[3][i]);
  }
  schema.label = Column{"y", columns.size(), ColumnKind::numeric, {}};
  SffsOptions options;
  options.k = 1;
  options.folds = 0;
  options.sample = 500;
  NoProgress quiet;
  const SffsResult found = sffs(MemorySource(schema, values, rows), options, quiet);
  ASSERT_EQ(found.selected.size(), 1U);
  EXPECT_GT(found.ranking[1].gain, 2 * found.ranking[0].gain);
  EXPECT_LT(found.sample_rows, 600U);  // with the rows of the ends of the label
}

TEST(AllRows, KnowCovariatesKeptFeaturesAndGroups) {
  const MemorySource source = labelled_table(Kind::two_classes, true, 900);
  Searched searched(source);
  SffsOptions options;
  options.k = 5;
  Wishes wishes;
  wishes.keep = {5};
  wishes.adjust = {4};
  std::erase(searched.data.features, std::size_t{4});
  expect_equal(searched.search(options, wishes, Shape::curve, true),
               searched.search(options, wishes, Shape::curve, false));
  Wishes grouped;
  grouped.groups = {{"both", {1, 2}}};
  searched.data.features = {0, 1, 3, 4, 5, 6};
  options.k = 3;
  expect_equal(searched.search(options, grouped, Shape::curve, true),
               searched.search(options, grouped, Shape::curve, false));
}

TEST(AllRows, ScoreSubsetsAsTheUnionDoes) {
  for (const Kind kind : {Kind::two_classes, Kind::more_classes, Kind::number}) {
    const MemorySource source = labelled_table(kind, false, 500);
    Searched searched(source);
    const std::vector<std::vector<std::size_t>> subsets{{0, 1}, {2, 3}, {0, 4}, {1, 2, 3}};
    for (const Score score : {Score::l1, Score::l2}) {
      SffsOptions options;
      options.score = score;
      const auto scorer = make_scorer(searched.data, options);
      const std::vector<double> scores =
          searched.all_rows.scores(searched.data, subsets, score, searched.quiet);
      for (std::size_t s = 0; s < subsets.size(); ++s) {
        EXPECT_NEAR(scores[s], scorer->score(subsets[s]), agree) << s;
      }
    }
  }
}

}  // namespace
}  // namespace fsieve::testing
