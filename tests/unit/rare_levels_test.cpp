// Levels that few rows have are one level together.
#include "table/rare_levels.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace fsieve::io {
namespace {

LevelCounts counts_of(std::size_t levels, std::uint64_t rows_each) {
  LevelCounts counts;
  for (std::size_t k = 0; k < levels; ++k) counts[fmt::format("l{}", 1000 + k)] = rows_each;
  return counts;
}

TEST(RareLevels, FewLevelsStay) {
  LevelCounts counts = counts_of(kFewLevels - 1, 100);
  counts["rare"] = 1;
  const PooledLevels found = pooled_levels(counts, true);
  EXPECT_FALSE(found.pooled);
  EXPECT_EQ(found.levels.size(), kFewLevels);
}

TEST(RareLevels, OneRareLevelIsItself) {
  LevelCounts counts = counts_of(20, 100);
  counts["rare"] = 1;
  EXPECT_FALSE(pooled_levels(counts, true).pooled);
}

TEST(RareLevels, RareOnesAreOne) {
  LevelCounts counts = counts_of(20, 100);
  counts["z1"] = 9;
  counts["z2"] = 1;
  counts["z3"] = 10;  // ten rows are enough
  const PooledLevels found = pooled_levels(counts, true);
  EXPECT_TRUE(found.pooled);
  ASSERT_EQ(found.levels.size(), 22U);
  EXPECT_EQ(found.levels[20], "other");
  EXPECT_EQ(found.levels[21], "z3");
  EXPECT_FALSE(pooled_levels(counts, false).pooled);
  EXPECT_EQ(pooled_levels(counts, false).levels.size(), 23U);
}

TEST(RareLevels, ALevelOfTheirNameTakesThemIn) {
  LevelCounts counts = counts_of(20, 100);
  counts["other"] = 50;
  counts["z1"] = counts["z2"] = 3;
  const PooledLevels found = pooled_levels(counts, true);
  EXPECT_TRUE(found.pooled);
  EXPECT_EQ(found.levels.size(), 21U);
}

TEST(RareLevels, NoMoreThanAHundredStay) {
  const PooledLevels found = pooled_levels(counts_of(900, 50), true);
  EXPECT_TRUE(found.pooled);
  ASSERT_EQ(found.levels.size(), kMostKeptLevels + 1);
  EXPECT_EQ(found.levels.front(), "l1000");  // of equals the first in byte order
  EXPECT_EQ(found.levels[kMostKeptLevels - 1], "l1099");
}

TEST(RareLevels, AllRare) {
  EXPECT_TRUE(all_rare(counts_of(320, 2)));
  EXPECT_FALSE(all_rare(counts_of(kFewLevels, 1)));
  EXPECT_FALSE(all_rare(counts_of(12, 4)));  // 48 rows: two are enough
  EXPECT_FALSE(pooled_levels(counts_of(320, 2), true).pooled);
}

}  // namespace
}  // namespace fsieve::io
