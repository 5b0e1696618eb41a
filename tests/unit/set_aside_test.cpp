// Columns that nothing can be learned from are known by their values.
#include "table/set_aside.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "fsieve/error.h"
#include "table/distinct_count.h"
#include "table/row_numbers.h"

namespace fsieve::io {
namespace {

using Reason = IgnoredColumn::Reason;

template <typename Number>
bool counts_rows(std::size_t rows, const Number& number) {
  RowNumbers numbers;
  for (std::size_t i = 0; i < rows; ++i) numbers.add(number(static_cast<double>(i)));
  return numbers.count_rows();
}

TEST(DistinctCount, IsExactForFewAndNearForMany) {
  DistinctCount few;
  for (int i = 0; i < 100000; ++i) few.add(hash_of(static_cast<double>(i % 700)));
  EXPECT_EQ(few.estimate(), 700);
  DistinctCount many;
  DistinctCount texts;
  for (int i = 0; i < 300000; ++i) {
    many.add(hash_of(static_cast<double>(i % 200000)));
    texts.add(hash_of(std::string_view("row " + std::to_string(i % 200000))));
  }
  EXPECT_NEAR(many.estimate(), 200000, 0.1 * 200000);
  EXPECT_NEAR(texts.estimate(), 200000, 0.1 * 200000);
}

TEST(DistinctCount, OneZeroAndTextsOfZeros) {
  EXPECT_EQ(hash_of(0.0), hash_of(-0.0));
  EXPECT_NE(hash_of(std::string_view("\0", 1)), hash_of(std::string_view("\0\0", 2)));
}

TEST(RowNumbers, CountInAnyOrderAndWithGaps) {
  EXPECT_TRUE(counts_rows(20, [](double i) { return i; }));
  EXPECT_TRUE(counts_rows(100000, [](double i) { return i + 1; }));
  EXPECT_TRUE(counts_rows(5000, [](double i) { return std::fmod(i * 7919, 5000); }));
  EXPECT_TRUE(counts_rows(5000, [](double i) { return 1e9 - i; }));
  EXPECT_TRUE(counts_rows(5000, [](double i) { return i + std::floor(i / 3); }));
}

TEST(RowNumbers, QuantitiesDoNot) {
  EXPECT_FALSE(counts_rows(19, [](double i) { return i; }));
  EXPECT_FALSE(counts_rows(5000, [](double i) { return i / 2; }));
  EXPECT_FALSE(counts_rows(5000, [](double i) { return 2 * i; }));
  EXPECT_FALSE(counts_rows(5000, [](double i) { return std::floor(i / 2); }));
  EXPECT_FALSE(counts_rows(5000, [](double i) { return std::fmod(i * 7919, 3001); }));
  EXPECT_FALSE(counts_rows(100000, [](double i) { return std::fmod(i, 2); }));
}

ChosenColumn feature(const std::string& name) {
  ChosenColumn column;
  column.name = name;
  return column;
}

TEST(SetAside, WishesAndRanksStay) {
  std::vector<ChosenColumn> chosen{feature("id"), feature("n"), feature("x"), feature("z")};
  const ColumnLook text{false, true, false, false};
  const ColumnLook counter{false, false, true, true};
  const ColumnLook number{false, false, true, false};
  const std::vector<ColumnLook> looks{text, counter, number, number};
  auto reasons = reasons_to_set_aside(chosen, looks);
  EXPECT_EQ(reasons[0], Reason::identifier);
  EXPECT_EQ(reasons[1], Reason::identifier);
  EXPECT_FALSE(reasons[2] || reasons[3]);
  chosen[0].as_levels = true;
  chosen[1].wanted = true;
  reasons = reasons_to_set_aside(chosen, looks);
  EXPECT_FALSE(reasons[0] || reasons[1]);
  const std::vector<ChosenColumn> ranks{feature("a"), feature("b"), feature("c")};
  reasons = reasons_to_set_aside(ranks, {counter, counter, number});
  EXPECT_FALSE(reasons[0] || reasons[1] || reasons[2]);
  // Numbers elsewhere in the table make them a few of many.
  reasons = reasons_to_set_aside(ranks, {counter, counter, number}, {number, number});
  EXPECT_TRUE(reasons[0] && reasons[1] && !reasons[2]);
}

TEST(SetAside, IdsThatAreOneDoubleGoEvenWhereTheyAreWanted) {
  std::vector<ChosenColumn> chosen{feature("id"), feature("code"), feature("y")};
  chosen[0].wanted = true;
  chosen[1].as_levels = true;
  chosen[2].is_label = true;
  const ColumnLook one{false, false, true, false, true};
  const auto reasons = reasons_to_set_aside(chosen, {one, one, one});
  EXPECT_EQ(reasons[0], Reason::rounded);
  EXPECT_EQ(reasons[1], Reason::rounded);
  EXPECT_FALSE(reasons[2]);
}

TEST(SetAside, OneWarningEachAndTheWayBack) {
  const std::vector<IgnoredColumn> ignored{
      {"id", 0, Reason::identifier}, {"gaps", 3, Reason::missing}, {"key", 4, Reason::rounded}};
  const auto warnings = set_aside_warnings("t.csv", ignored);
  ASSERT_EQ(warnings.size(), 3U);
  EXPECT_EQ(
      warnings[2],
      "t.csv: column \"key\" has whole numbers beyond 2^53 that are all the same when rounded "
      "and is set aside");
  EXPECT_EQ(warnings[0],
            "t.csv: column \"id\" names the rows and is set aside (to use it: --use id)");
  EXPECT_EQ(warnings[1],
            "t.csv: column \"gaps\" is mostly missing and is set aside (to use it: --use gaps)");
}

// Frames, Parquet and NumPy files have no fields that something might separate.
TEST(SetAside, NothingLeftTellsOfBlanksInTextFilesOnly) {
  const auto said = [](bool in_text) {
    try {
      check_some_left("t", 0, {{"customer id", 0, Reason::identifier}}, in_text);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string begin = "t: no feature columns are left: \"customer id\" names the rows";
  EXPECT_EQ(said(false), begin + " (to use it: --use 'customer id')");
  EXPECT_EQ(said(true), begin +
                            " (to use it: --use 'customer id'; if blanks separate the fields: "
                            "--delimiter ' ')");
}

}  // namespace
}  // namespace fsieve::io
