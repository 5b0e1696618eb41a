// Samples of rows: which rows are in one, and that they are the table's own.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "data/sample_size.h"
#include "fsieve/sample.h"
#include "fsieve/source.h"
#include "source/sampled_rows.h"

namespace fsieve {
namespace {

using Rows = std::vector<std::size_t>;

TEST(SampledRows, RiseAndAreOfTheTable) {
  for (const std::size_t rows : {101U, 1000U, 99999U}) {
    for (const std::size_t size : {1U, 7U, 100U}) {
      const Rows drawn = sampled_rows(rows, size, 3);
      ASSERT_EQ(drawn.size(), size);
      EXPECT_TRUE(std::is_sorted(drawn.begin(), drawn.end(), std::less_equal<>()));
      EXPECT_LT(drawn.back(), rows);
    }
  }
}

TEST(SampledRows, AreAllWhereThereAreNoMore) {
  Rows all(50);
  std::iota(all.begin(), all.end(), std::size_t{0});
  EXPECT_EQ(sampled_rows(50, 50, 1), all);
  EXPECT_EQ(sampled_rows(50, every_row, 1), all);
  EXPECT_TRUE(sampled_rows(0, 10, 1).empty());
}

TEST(SampledRows, FollowFromTheSeed) {
  EXPECT_EQ(sampled_rows(10000, 100, 5), sampled_rows(10000, 100, 5));
  EXPECT_NE(sampled_rows(10000, 100, 5), sampled_rows(10000, 100, 6));
}

TEST(SampledRows, EveryRowIsAboutAsLikely) {
  std::vector<int> counts(97);
  constexpr int draws = 4000;
  for (int seed = 0; seed < draws; ++seed) {
    for (const std::size_t row : sampled_rows(97, 20, static_cast<std::uint64_t>(seed))) {
      ++counts[row];
    }
  }
  // Runs of 4 and of 5 rows.
  for (const int count : counts) {
    EXPECT_GT(count, draws / 5 * 0.85);
    EXPECT_LT(count, draws / 4 * 1.15);
  }
}

TEST(SampledRows, NumbersBeyond32BitsDoNotOverflow) {
  constexpr std::size_t rows = std::size_t{1} << 62U;
  const Rows drawn = sampled_rows(rows, 1000, 1);
  EXPECT_TRUE(std::is_sorted(drawn.begin(), drawn.end(), std::less_equal<>()));
  EXPECT_LT(drawn.front(), rows / 1000 + 1);
  EXPECT_GT(drawn.back(), rows / 1000 * 999);
}

// Reads in blocks of a few rows and shows nothing in memory, as a file does.
class SmallBlocks final : public Source {
 public:
  SmallBlocks(const Source& source, std::size_t step) : source_(source), step_(step) {}
  [[nodiscard]] const Schema& schema() const override { return source_.schema(); }
  [[nodiscard]] std::size_t rows() const override { return source_.rows(); }
  [[nodiscard]] std::span<const double> weights() const override { return source_.weights(); }
  [[nodiscard]] std::unique_ptr<BlockReader> open() const override {
    class Reader final : public BlockReader {
     public:
      explicit Reader(const SmallBlocks& all) : all_(all) {}
      bool next(Block& block) override {
        const Source& source = all_.source_;
        if (row_ >= source.rows()) return false;
        block.first_row = row_;
        block.rows = std::min(all_.step_, source.rows() - row_);
        block.stride = source.rows();
        block.values = source.in_memory().data() + row_;
        block.weights = source.weights().empty() ? source.weights()
                                                 : source.weights().subspan(row_, block.rows);
        row_ += block.rows;
        return true;
      }

     private:
      const SmallBlocks& all_;
      std::size_t row_ = 0;
    };
    return std::make_unique<Reader>(*this);
  }

 private:
  const Source& source_;
  std::size_t step_;
};

MemorySource numbered(std::size_t rows, std::vector<double> weights = {}) {
  Schema schema{{{"row", 0, ColumnKind::numeric, {}}, {"square", 1, ColumnKind::numeric, {}}},
                std::nullopt};
  std::vector<double> values;
  for (std::size_t i = 0; i < rows; ++i) values.push_back(static_cast<double>(i));
  for (std::size_t i = 0; i < rows; ++i) values.push_back(static_cast<double>(i * i));
  return {std::move(schema), std::move(values), rows, std::move(weights)};
}

TEST(SampledTable, HoldsTheRowsWhateverTheBlocks) {
  const MemorySource table = numbered(1000);
  const Rows rows = sampled_rows(1000, 70, 9);
  NoProgress progress;
  for (const std::size_t step : {1U, 13U, 1000U}) {
    const auto sample = sampled_table(SmallBlocks(table, step), 70, 9, progress);
    ASSERT_EQ(sample->rows(), 70U);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      EXPECT_EQ(sample->in_memory()[k], static_cast<double>(rows[k]));
      EXPECT_EQ(sample->in_memory()[70 + k], static_cast<double>(rows[k] * rows[k]));
    }
  }
}

TEST(SampledTable, LeavesOutRowsWithoutWeight) {
  std::vector<double> weights(1000, 0.0);
  for (std::size_t i = 0; i < weights.size(); i += 2) weights[i] = static_cast<double>(i + 1);
  const MemorySource table = numbered(1000, weights);
  NoProgress progress;
  const auto sample = sampled_table(table, 100, 1, progress);
  ASSERT_EQ(sample->rows(), 100U);
  for (std::size_t k = 0; k < 100; ++k) {
    EXPECT_EQ(sample->weights()[k], sample->in_memory()[k] + 1);
    EXPECT_GT(sample->weights()[k], 0);
  }
  EXPECT_EQ(sampled_table(table, 700, 1, progress)->rows(), 500U);
}

TEST(SampleSize, SmallTablesAreUsedWhole) {
  EXPECT_EQ(sample_size(automatic_sample, 100000, 5000), 100000U);
  EXPECT_EQ(sample_size(automatic_sample, 1000000, 5000), 5000U);
  EXPECT_EQ(sample_size(automatic_sample, 1000000, 350000), 1000000U);
  EXPECT_EQ(sample_size(every_row, 1000000, 5000), 1000000U);
  EXPECT_EQ(sample_size(200, 1000, 5000), 200U);
  EXPECT_EQ(sample_size(2000, 1000, 5000), 1000U);
}

// A table of 10⁵ rows may not take longer than one of 10⁶, of which a sample is taken.
TEST(SampleSize, MuchWorkIsDoneOnASampleOfFewRowsToo) {
  constexpr std::size_t tell = 9052;
  constexpr double work = 1e7;
  EXPECT_EQ(sample_size(automatic_sample, 100000, tell, work), tell);
  EXPECT_EQ(sample_size(automatic_sample, 40000, tell, work), tell);
  EXPECT_EQ(sample_size(automatic_sample, 15000, tell, 1e12), 15000U);  // little would be saved
  EXPECT_EQ(sample_size(automatic_sample, 9000, tell, 1e12), 9000U);
  EXPECT_EQ(sample_size(every_row, 100000, tell, work), 100000U);
}

// The norm of m normal numbers is off by more than the precision as rarely as the level says.
TEST(SampleSize, RowsTellANorm) {
  EXPECT_EQ(rows_that_tell(0.05, 0.05, 1, 0), 769U);
  EXPECT_GT(rows_that_tell(0.05, 0.05, 100, 0), 2000U);
  EXPECT_EQ(rows_that_tell(0.05, 0.05, 1, 1000), 1769U);
}

}  // namespace
}  // namespace fsieve
