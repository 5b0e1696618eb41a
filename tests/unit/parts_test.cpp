// Rows that lie elsewhere: methods ask, and find what they find when they read.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "base/binary_lists.h"
#include "data/medians.h"
#include "fsieve/error.h"
#include "fsieve/gfs.h"
#include "fsieve/junta.h"
#include "fsieve/result.h"
#include "fsieve/uffs.h"
#include "source/sampled_rows.h"
#include "split_source.h"
#include "table/part_scan.h"
#include "tables.h"

namespace fsieve::testing {
namespace {

// Numbers, a product, a sum, signs, a product of signs, a category and what follows from it.
MemorySource mixed(std::size_t rows) {
  Random random(11);
  Columns columns;
  for (int j = 0; j < 3; ++j) columns.push_back(random.normals(rows));
  columns.push_back(product(columns[0], columns[1]));
  columns.push_back(sum(2, columns[1], -1, columns[2]));
  for (int j = 0; j < 3; ++j) columns.push_back(random.signs(rows));
  columns.push_back(product(columns[5], columns[6]));
  columns.push_back(random.codes(rows, 3));
  columns.emplace_back();
  for (const double code : columns[9]) columns.back().push_back(code == 1 ? 5.0 : 2.0);
  return table(columns, {0, 0, 0, 0, 0, 0, 0, 0, 0, 3});
}

template <class Features>
void expect_same(const Features& one, const Features& other) {
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].feature, other[i].feature);
}

void expect_same_equations(const std::vector<RemovedFeature>& one,
                           const std::vector<RemovedFeature>& other) {
  expect_same(one, other);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_NEAR(one[i].norm, other[i].norm, 1e-9);
    ASSERT_EQ(one[i].equations.size(), other[i].equations.size());
    for (std::size_t e = 0; e < one[i].equations.size(); ++e) {
      EXPECT_NEAR(one[i].equations[e].r2, other[i].equations[e].r2, 1e-9);
      EXPECT_EQ(one[i].equations[e].terms.size(), other[i].equations[e].terms.size());
    }
  }
}

TEST(Parts, UffsAsksForWhatItWouldRead) {
  const MemorySource whole = mixed(700);
  UffsOptions options;
  options.engine = Engine::gram;
  options.epsilon = {0.1};
  NoProgress quiet;
  for (const auto& [part_rows, order] : {std::pair{1000, Order::input},
                                         {99, Order::input},
                                         {1000, Order::automatic},
                                         {99, Order::automatic}}) {
    options.order = order;
    const SplitSource parts(whole, part_rows);
    const UffsResult one = uffs(whole, options, quiet);
    const UffsResult many = uffs(parts, options, quiet);
    EXPECT_GT(parts.questions(), 2);
    expect_same(one.selected, many.selected);
    expect_same_equations(one.removed, many.removed);
  }
}

TEST(Parts, GreedyMethodsAskToo) {
  const MemorySource whole = mixed(600);
  const SplitSource parts(whole, 77);
  GfsOptions options;
  options.engine = Engine::gram;
  options.family.kind = FamilyKind::functions;
  options.family.functions = {parse_function("a*b"), parse_function("abs(a)")};
  NoProgress quiet;
  const GreedyChoice one = gfs(whole, options, quiet);
  const GreedyChoice many = gfs(parts, options, quiet);
  expect_same(one.selected, many.selected);
  ASSERT_EQ(one.removed.size(), many.removed.size());
  for (std::size_t i = 0; i < one.removed.size(); ++i) {
    EXPECT_NEAR(one.removed[i].variance_left, many.removed[i].variance_left, 1e-9);
  }
}

TEST(Parts, EntropyBoundOfTwoValuedColumns) {
  Random random(3);
  Columns columns;
  for (int j = 0; j < 4; ++j) columns.push_back(random.signs(500));
  columns.push_back(product(columns[0], columns[1]));
  const MemorySource whole = table(columns);
  GfaOptions options;
  options.engine = Engine::gram;
  NoProgress quiet;
  const auto one = gfa(whole, options, quiet).entropy_bound;
  const auto many = gfa(SplitSource(whole, 130), options, quiet).entropy_bound;
  ASSERT_TRUE(one && many);
  EXPECT_DOUBLE_EQ(one->bits, many->bits);
}

TEST(Parts, AJuntaIsLearntFromBits) {
  Random random(9);
  Columns columns;
  for (int j = 0; j < 9; ++j) columns.push_back(random.signs(400));
  columns.push_back(random.normals(400));
  Schema schema = table(columns).schema();
  std::vector<double> values;
  for (const auto& column : columns) values.insert(values.end(), column.begin(), column.end());
  for (std::size_t i = 0; i < 400; ++i) {
    values.push_back(columns[2][i] > 0 && columns[7][i] > 0 ? 1 : 0);
  }
  schema.label = Column{"y", 10, ColumnKind::numeric, {}};
  const MemorySource whole(schema, values, 400);
  NoProgress quiet;
  for (const std::size_t k : {1, 2, 3}) {
    JuntaOptions options;
    options.k = k;
    options.top = 7;
    EXPECT_EQ(to_json(learn(whole, options, quiet)),
              to_json(learn(SplitSource(whole, 61), options, quiet)));
    options.class_weights.balanced = true;
    options.permutations = 2;
    EXPECT_EQ(to_json(learn(whole, options, quiet)),
              to_json(learn(SplitSource(whole, 61), options, quiet)));
  }
}

TEST(Parts, MediansByCounts) {
  Random random(2);
  std::vector<double> odd = random.normals(501);
  std::vector<double> ties(501, 0.0);
  for (std::size_t i = 0; i < 501; ++i) {
    ties[i] = i % 3 == 0 ? -0.0 : (i % 3 == 1 ? 1e300 : -1e-300);
  }
  const MemorySource whole = table({odd, ties});
  const std::vector<std::size_t> columns{0, 1};
  const std::vector<Middle> one = middles_of(whole, columns);
  const std::vector<Middle> many = middles_of(SplitSource(whole, 50), columns);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_EQ(one[c].lower, many[c].lower);
    EXPECT_EQ(one[c].upper, many[c].upper);
    EXPECT_EQ(one[c].largest, many[c].largest);
    EXPECT_EQ(one[c].next, many[c].next);
  }
}

TEST(Parts, ASampleIsThatOfTheWhole) {
  const MemorySource whole = mixed(500);
  const SplitSource parts(whole, 90);
  NoProgress quiet;
  const auto one = sampled_table(whole, 120, 4, quiet);
  const auto many = sampled_table(parts, 120, 4, quiet);
  const auto values = one->in_memory();
  EXPECT_TRUE(std::equal(values.begin(), values.end(), many->in_memory().begin()));
}

TEST(Parts, QuestionsOfAnotherVersionAreRefused) {
  const MemorySource whole = mixed(50);
  NoProgress quiet;
  EXPECT_THROW((void)answer(whole, "fsieve", quiet), Error);
  std::ostringstream question;
  begin_question(question, "no such thing", {});
  EXPECT_THROW((void)answer(whole, question.str(), quiet), Error);
}

}  // namespace
}  // namespace fsieve::testing

namespace fsieve::io {
namespace {

using Cells = std::vector<std::pair<std::int32_t, double>>;

NamedColumn texts(const std::string& name, std::vector<std::int32_t> codes,
                  std::vector<std::string> levels) {
  return {name, std::make_shared<TextColumn>(std::move(codes), std::move(levels)), ""};
}

NamedColumn numbers(const std::string& name, const std::vector<double>& values) {
  NumberPiece piece;
  piece.first = reinterpret_cast<const char*>(values.data());
  piece.step = sizeof(double);
  piece.rows = values.size();
  return {name, std::make_shared<NumberColumn>(std::vector{piece}, nullptr), ""};
}

PartScan scanned(std::size_t part, const std::vector<NamedColumn>& columns,
                 const ReadOptions& options) {
  PartScan scan("X", options);
  scan.look(part, columns);
  std::stringstream bytes;
  scan.save(bytes);
  PartScan again("X", options);
  again.load(bytes);
  return again;
}

TEST(PartScan, LevelsOfAllPartsInTheirOrder) {
  const std::vector<double> first{1, 2, 3};
  const std::vector<double> second{4, 5};
  const ReadOptions options;
  PartScan whole =
      scanned(0, {numbers("a", first), texts("c", {0, 1, 0}, {"red", "blue"})}, options);
  const std::vector<NamedColumn> later{numbers("a", second), texts("c", {1, 0}, {"red", "green"})};
  whole.merge(scanned(1, later, options));
  const PartLayout layout(whole);
  EXPECT_EQ(layout.schema().features[1].levels, (std::vector<std::string>{"blue", "green", "red"}));
  EXPECT_EQ(layout.rows(), (std::vector<std::uint64_t>{3, 2}));
  const auto rows = layout.open(later);
  EXPECT_EQ(rows->in_memory()[2], 1);  // green
  EXPECT_EQ(rows->in_memory()[3], 2);  // red
}

// Each part has one id, and as doubles both are one.
TEST(PartScan, IdsThatAreOneDoubleAreSetAside) {
  ReadOptions options;
  options.set_aside = true;
  const std::vector<double> first{1, 2, 3};
  const std::vector<double> second{4, 5};
  const auto scan_with = [&](const std::string& id) {
    PartScan whole =
        scanned(0, {numbers("a", first), texts("id", {0, 0, 0}, {"9007199254740992"})}, options);
    whole.merge(scanned(1, {numbers("a", second), texts("id", {0, 0}, {id})}, options));
    return PartLayout(whole).schema();
  };
  const Schema aside = scan_with("9007199254740993");
  ASSERT_EQ(aside.ignored.size(), 1U);
  EXPECT_EQ(aside.ignored[0].name, "id");
  EXPECT_EQ(aside.ignored[0].reason, IgnoredColumn::Reason::rounded);
  EXPECT_TRUE(scan_with("9007199254740994").ignored.empty());
}

std::string message_of(const PartScan& one, const PartScan& next) {
  try {
    PartScan whole = one;
    whole.merge(next);
    return std::string("none: ") + std::to_string(PartLayout(whole).rows().size());
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(PartScan, WhatIsWrongNamesThePart) {
  const std::vector<double> three{1, 2, 3};
  const std::vector<double> gap{1, std::nan(""), 3};
  const ReadOptions options;
  const PartScan both = scanned(0, {numbers("a", three), numbers("b", three)}, options);
  EXPECT_EQ(message_of(both, scanned(1, {numbers("b", three)}, options)),
            "X: partition 1 has no column \"a\", which partition 0 has");
  EXPECT_EQ(message_of(scanned(0, {numbers("b", three)}, options), both),
            "X: partition 0 has no column \"a\", which partition 0 has");
  EXPECT_EQ(message_of(both, scanned(1, {numbers("b", three), numbers("a", three)}, options)),
            "X: partition 1 has its columns in another order than partition 0");
  EXPECT_EQ(message_of(both, scanned(1, {numbers("a", three), numbers("b", gap)}, options)),
            "X: partition 1: column \"b\", row 2: missing value (--missing drop or --missing mean "
            "accept it)");
  EXPECT_EQ(
      message_of(
          both, scanned(1, {numbers("a", three), texts("b", {0, 1, 2}, {"x", "y", "z"})}, options)),
      "X: column \"b\" is text in some parts of the table and a number in others: give it one "
      "type");
}

}  // namespace
}  // namespace fsieve::io
