// Rules in words: they say what the table of cells says, and no more words than needed.
#include "methods/junta/formula.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "unit/tables.h"

namespace fsieve {
namespace {

using testing::Random;

std::vector<ModelFeature> bits(std::size_t count) {
  std::vector<ModelFeature> features;
  for (std::size_t k = 0; k < count; ++k) {
    ModelFeature feature;
    feature.name = feature.column = std::string(1, static_cast<char>('a' + k));
    feature.low = 0.0;
    feature.high = 1.0;
    features.push_back(feature);
  }
  return features;
}

std::vector<ModelCell> truth(std::size_t count, std::uint32_t on) {
  std::vector<ModelCell> table;
  for (std::size_t cell = 0; cell < std::size_t{1} << count; ++cell) {
    ModelCell entry;
    for (std::size_t k = 0; k < count; ++k) entry.high.push_back((cell >> k & 1U) != 0);
    entry.prediction = (on >> cell & 1U) != 0;
    table.push_back(entry);
  }
  return table;
}

// Reads "a = 1 and (b = 0 or c = 1)" for one cell.
class FormulaReader {
 public:
  FormulaReader(std::string text, std::size_t cell) : text_(std::move(text)), cell_(cell) {}
  bool whole() {
    const bool value = either();
    EXPECT_EQ(at_, text_.size());
    return value;
  }

 private:
  bool take(std::string_view word) {
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }
  bool either() {
    bool value = both();
    while (take(" or ")) value = both() || value;
    return value;
  }
  bool both() {
    bool value = one();
    while (take(" and ")) value = one() && value;
    return value;
  }
  bool one() {
    if (take("always")) return true;
    if (take("never")) return false;
    if (take("(")) {
      const bool value = either();
      EXPECT_TRUE(take(")"));
      return value;
    }
    const auto feature = static_cast<std::size_t>(text_.at(at_++) - 'a');
    EXPECT_TRUE(take(" = "));
    const bool wanted = text_.at(at_++) == '1';
    return ((cell_ >> feature & 1U) != 0) == wanted;
  }

  std::string text_;
  std::size_t cell_;
  std::size_t at_ = 0;
};

TEST(Formula, SaysWhatTheTableSays) {
  Random random(41);
  for (std::size_t count = 1; count <= 4; ++count) {
    const std::uint32_t tables = 1U << (1U << count);
    for (std::uint32_t t = 0; t < std::min<std::uint32_t>(tables, 2000); ++t) {
      const auto on = static_cast<std::uint32_t>(count < 4 ? t : random.below(tables));
      const std::string text = formula_of(bits(count), truth(count, on));
      for (std::size_t cell = 0; cell < std::size_t{1} << count; ++cell) {
        ASSERT_EQ(FormulaReader(text, cell).whole(), (on >> cell & 1U) != 0) << text;
      }
    }
  }
}

TEST(Formula, IsShort) {
  const auto of = [](std::size_t count, const std::function<bool(std::size_t)>& f) {
    std::uint32_t on = 0;
    for (std::size_t cell = 0; cell < std::size_t{1} << count; ++cell) {
      if (f(cell)) on |= 1U << cell;
    }
    return formula_of(bits(count), truth(count, on));
  };
  const auto bit = [](std::size_t cell, int k) { return (cell >> k & 1U) != 0; };
  EXPECT_EQ(of(2, [&](std::size_t c) { return bit(c, 1); }), "b = 1");
  EXPECT_EQ(of(3, [](std::size_t) { return true; }), "always");
  EXPECT_EQ(of(3, [](std::size_t) { return false; }), "never");
  EXPECT_EQ(of(3, [&](std::size_t c) { return !bit(c, 2) || (bit(c, 0) && bit(c, 1)); }),
            "c = 0 or (a = 1 and b = 1)");
  EXPECT_EQ(of(2, [&](std::size_t c) { return bit(c, 0) != bit(c, 1); }),
            "(a = 1 and b = 0) or (a = 0 and b = 1)");
  EXPECT_EQ(
      of(4, [&](std::size_t c) { return (bit(c, 0) || bit(c, 1)) && (bit(c, 2) || bit(c, 3)); }),
      "(a = 1 or b = 1) and (c = 1 or d = 1)");
}

TEST(Formula, SpeaksTheColumnsOwnValues) {
  ModelFeature colour;
  colour.name = "colour=dark red";
  colour.column = "colour";
  colour.level = "dark red";
  EXPECT_EQ(condition(colour, true), "colour = \"dark red\"");
  EXPECT_EQ(condition(colour, false), "colour ≠ \"dark red\"");
  ModelFeature age;
  age.name = age.column = "age";
  age.threshold = 41.5;
  EXPECT_EQ(condition(age, true), "age > 41.5");
  EXPECT_EQ(condition(age, false), "age ≤ 41.5");
  ModelFeature size;
  size.name = size.column = "size";
  size.low = std::string("big");
  size.high = std::string("small");
  EXPECT_EQ(condition(size, false), "size = big");
}

}  // namespace
}  // namespace fsieve
