// Searches that many machines do together, and rows that parts show otherwise: as one machine does.
#include "measure/shared_ranking.h"

#include <gtest/gtest.h>

#include "data/bins.h"
#include "data/class_weights.h"
#include "fsieve/junta.h"
#include "fsieve/result.h"
#include "fsieve/sffs.h"
#include "methods/union/shared_cells.h"
#include "methods/union/sign_cells.h"
#include "split_source.h"
#include "stats/fold.h"
#include "stats/moments.h"
#include "tables.h"

namespace fsieve::testing {
namespace {

// Numbers, signs and a category; the label has two classes, one of them rare.
MemorySource labelled(std::size_t rows) {
  Random random(21);
  Columns columns;
  for (int j = 0; j < 3; ++j) columns.push_back(random.normals(rows));
  for (int j = 0; j < 3; ++j) columns.push_back(random.signs(rows));
  columns.push_back(random.codes(rows, 3));
  Schema schema = table(columns, {0, 0, 0, 0, 0, 0, 3}).schema();
  std::vector<double> values;
  for (const auto& column : columns) values.insert(values.end(), column.begin(), column.end());
  for (std::size_t i = 0; i < rows; ++i) {
    values.push_back(columns[0][i] + columns[4][i] + 0.3 * random.normals(1)[0] > 1.2 ? 1 : 0);
  }
  schema.label = Column{"y", columns.size(), ColumnKind::numeric, {}};
  return {std::move(schema), std::move(values), rows};
}

TEST(SharedRanking, RangesMakeTheRankingOfAll) {
  constexpr std::size_t rows = 700;
  constexpr std::size_t count = 15;
  Random random(3);
  std::vector<std::size_t> codes(rows);
  for (std::size_t& code : codes) code = random.below(3);
  const ClassOrder order(codes, 3);
  BitStore bits(count, order.words);
  std::vector<std::size_t> features;
  for (std::size_t j = 0; j < count; ++j) {
    features.push_back(2 * j + 1);
    for (std::size_t i = 0; i < rows; ++i) {
      if (random.below(2 + j % 3) == 0) order.set(bits.column(j), i);
    }
  }
  const SplitSource machines(labelled(50), 20);
  NoProgress quiet;
  for (const int size : {2, 3, 4}) {
    Ranking here(40, 12, 9);
    Ranking there(40, 12, 9);
    SharedProgress progress(quiet, "subsets", 1);
    rank_sign_subsets(order, bits, features, size, 1e6, {}, here, progress);
    rank_sign_subsets_on(machines, order, bits, features, size, there, quiet);
    ASSERT_EQ(here.best().size(), there.best().size());
    for (std::size_t k = 0; k < here.best().size(); ++k) {
      EXPECT_EQ(here.best()[k].features, there.best()[k].features);
      EXPECT_EQ(here.best()[k].score, there.best()[k].score);
    }
    ASSERT_EQ(here.united().size(), there.united().size());
    for (std::size_t k = 0; k < here.united().size(); ++k) {
      EXPECT_EQ(here.united()[k].feature, there.united()[k].feature);
      EXPECT_EQ(here.united()[k].subset, there.united()[k].subset);
    }
  }
  EXPECT_EQ(machines.shared(), 3);
}

// A search that takes a moment is not shared; one that takes longer is, also where the rows were
// gathered.
TEST(SharedRanking, OnlyWhatTakesLongIsShared) {
  EXPECT_FALSE((SubsetWork{1000, 1000}.worth_sharing()));
  EXPECT_TRUE((SubsetWork{1e6, 1000}.worth_sharing()));
  EXPECT_FALSE((SubsetWork{1e17, 1000}.worth_sharing()));
  Random random(9);
  Columns columns;
  constexpr std::size_t rows = 6000;
  for (int j = 0; j < 280; ++j) columns.push_back(random.signs(rows));
  Schema schema = table(columns).schema();
  std::vector<double> values;
  for (const auto& column : columns) values.insert(values.end(), column.begin(), column.end());
  const std::vector<double> label = product(product(columns[2], columns[70]), columns[201]);
  values.insert(values.end(), label.begin(), label.end());
  schema.label = Column{"y", columns.size(), ColumnKind::numeric, {}};
  const MemorySource whole(schema, values, rows);
  const SplitSource machines(whole, 2500);
  NoProgress quiet;
  JuntaOptions options;
  options.k = 3;
  options.top = 5;
  const std::string alone = to_json(learn(whole, options, quiet));
  EXPECT_EQ(alone, to_json(learn(machines, options, quiet)));
  EXPECT_EQ(machines.shared(), 1);
  EXPECT_EQ(alone, to_json(learn(GatheredSource(whole, machines), options, quiet)));
  EXPECT_EQ(machines.shared(), 2);
  options.k = 2;
  EXPECT_EQ(to_json(learn(whole, options, quiet)), to_json(learn(machines, options, quiet)));
  EXPECT_EQ(machines.shared(), 2);
}

TEST(PartViews, PartsCutAndWeighTheirRows) {
  const MemorySource whole = labelled(500);
  const SplitSource parts(whole, 90);
  NoProgress quiet;
  const std::map<double, double> of_class{{0, 350}, {1, 150}};
  const BinnedSource cut_whole(whole, whole, 4);
  const BinnedSource cut_parts(parts, whole, 4);
  const BalancedSource one(cut_whole, of_class, 250);
  const BalancedSource many(cut_parts, of_class, 250);
  const Moments a = fold(one, Moments(one.schema()), "moments", quiet);
  const Moments b = fold(many, Moments(many.schema()), "moments", quiet);
  EXPECT_NEAR(a.weight(), b.weight(), 1e-9);
  ASSERT_EQ(a.counts(0).size(), 4);
  for (std::size_t level = 0; level < 4; ++level) {
    EXPECT_NEAR(a.counts(0)[level], b.counts(0)[level], 1e-9);
  }
  EXPECT_TRUE(std::equal(one.weights().begin(), one.weights().end(), many.weights().begin()));
  const auto rows = rows_at(parts_of(many), {3, 100, 499}, quiet);
  EXPECT_EQ(rows->schema().features[0].levels.size(), 4);
  EXPECT_EQ(rows->weights()[1], one.weights()[100]);
}

// No row is read here: a split source refuses to.
TEST(PartViews, ASelectionInBinsWithClassesOfEqualWeight) {
  const MemorySource whole = labelled(900);
  const SplitSource parts(whole, 170);
  NoProgress quiet;
  for (const Search search : {Search::forward, Search::unite}) {
    SffsOptions options;
    options.k = 2;
    options.sample = 200;
    options.folds = 0;
    options.bins = 4;
    options.balanced = true;
    options.search = search;
    const SffsResult one = sffs(whole, options, quiet);
    const SffsResult many = sffs(parts, options, quiet);
    ASSERT_EQ(one.selected.size(), many.selected.size());
    for (std::size_t k = 0; k < one.selected.size(); ++k) {
      EXPECT_EQ(one.selected[k].feature, many.selected[k].feature);
      EXPECT_NEAR(one.selected[k].score, many.selected[k].score, 1e-9);
    }
  }
}

}  // namespace
}  // namespace fsieve::testing
