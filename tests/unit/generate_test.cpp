// Synthetic sets: the generator's known answers, and rows that do not depend on how they are read.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/philox.h"
#include "base/random_numbers.h"
#include "fsieve/error.h"
#include "fsieve/generate.h"
#include "generate/recipe.h"

namespace fsieve {
namespace {

// Known answers of the Random123 distribution.
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (Philox128{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}),
            (Philox128{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Philox128{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomNumbers, NormalMoments) {
  const RandomNumbers random(7, kValues);
  constexpr int kDraws = 100000;
  double sum = 0;
  double squares = 0;
  double fourth = 0;
  for (int i = 0; i < kDraws; ++i) {
    for (const double z : random.normal(static_cast<std::uint64_t>(i), 3)) {
      sum += z;
      squares += z * z;
      fourth += z * z * z * z;
    }
  }
  EXPECT_NEAR(sum / (2 * kDraws), 0, 0.01);
  EXPECT_NEAR(squares / (2 * kDraws), 1, 0.02);
  EXPECT_NEAR(fourth / (2 * kDraws), 3, 0.1);
}

TEST(RandomChoices, BelowIsInRangeAndReachesAll) {
  RandomChoices random(1, kStructure);
  std::set<std::size_t> seen;
  for (int i = 0; i < 300; ++i) seen.insert(random.below(7));
  EXPECT_EQ(seen, (std::set<std::size_t>{0, 1, 2, 3, 4, 5, 6}));
}

std::vector<double> column(const Source& source, std::size_t j) {
  std::vector<double> values;
  Block block;
  const auto reader = source.open();
  while (reader->next(block)) {
    EXPECT_EQ(block.first_row, values.size());
    const auto part = block.column(j);
    values.insert(values.end(), part.begin(), part.end());
  }
  return values;
}

TEST(SyntheticSet, EveryPassIsTheSame) {
  const auto source = synthetic_set({SetKind::gfs, 5000, 3, false, false});
  const auto once = column(*source, 17);
  EXPECT_EQ(once.size(), 5000U);
  EXPECT_EQ(once, column(*source, 17));
}

TEST(SyntheticSet, ShuffleMovesColumnsWithTheirNames) {
  const auto plain = synthetic_set({SetKind::s1, 50, 3, false, false});
  const auto shuffled = synthetic_set({SetKind::s1, 50, 3, true, false});
  bool moved = false;
  for (std::size_t j = 0; j < 30; ++j) {
    const std::string& name = shuffled->schema().features[j].name;
    const std::size_t home = std::stoul(name.substr(1)) - 1;
    moved = moved || home != j;
    EXPECT_EQ(shuffled->schema().features[j].index, j);
    EXPECT_EQ(column(*shuffled, j), column(*plain, home));
  }
  EXPECT_TRUE(moved);
  EXPECT_EQ(column(*shuffled, 30), column(*plain, 30));
}

TEST(SyntheticSet, PairsBelongToGfa) {
  EXPECT_THROW((void)synthetic_set({SetKind::s1, 5, 0, false, true}), Error);
  EXPECT_NO_THROW((void)synthetic_set({SetKind::gfa, 5, 0, false, true}));
  EXPECT_THROW((void)set_kind("s4"), Error);
  EXPECT_EQ(name_of(set_kind("e2")), "e2");
}

}  // namespace
}  // namespace fsieve
