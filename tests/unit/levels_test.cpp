// Levels of discrete features.
#include "data/levels.h"

#include <gtest/gtest.h>

#include "tables.h"

namespace fsieve {
namespace {

using Codes = std::vector<std::uint32_t>;

TEST(Levels, AreCountedFromTheSmallestValueThatIsThere) {
  // Two numbers, a category of three levels, one of two, and the label.
  const testing::Columns columns{
      {7, -1, 7, -1, 7, -1}, {0, 1, 2, 2, 1, 0}, {1, 0, 0, 1, 1, 0}, {0, 1, 0, 1, 1, 0}};
  const MemorySource all = testing::table(columns, {0, 3, 2, 0});
  Schema schema = all.schema();
  schema.label = schema.features.back();
  schema.features.pop_back();
  const MemorySource source(std::move(schema),
                            std::vector<double>(all.in_memory().begin(), all.in_memory().end()),
                            all.rows());
  NoProgress progress;
  const SupervisedData data = make_supervised_data(source, Task::automatic, progress);
  const Levels numbers = levels_of(data, 0, 0);
  EXPECT_EQ(numbers.count, 2U);
  EXPECT_EQ(numbers.codes, (Codes{1, 0, 1, 0, 1, 0}));
  const Levels three = levels_of(data, 1, 0);  // each of its indicators has two values
  EXPECT_EQ(three.count, 3U);
  EXPECT_EQ(three.codes, (Codes{0, 1, 2, 2, 1, 0}));
  EXPECT_EQ(levels_of(data, 2, 0).codes, (Codes{1, 0, 0, 1, 1, 0}));
}

}  // namespace
}  // namespace fsieve
