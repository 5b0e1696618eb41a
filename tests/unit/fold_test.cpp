// The fold gives the same bytes for any number of threads, and statistics can be cut, saved, loaded
// and merged.
#include "stats/fold.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>
#include <sstream>
#include <thread>
#include <tuple>

#include "fsieve/error.h"
#include "span/parity_gram.h"
#include "span/sign_moments.h"
#include "span/sign_pairs.h"
#include "stats/moments.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::Random;

template <class A>
std::string saved_bytes(const A& accumulator) {
  std::ostringstream out;
  accumulator.save(out);
  return out.str();
}

template <class A>
std::string folded_with(int threads, const Source& source, const A& zero) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  NoProgress progress;
  return arena.execute([&] { return saved_bytes(fold(source, zero, "test", progress)); });
}

Columns mixed(std::size_t rows, std::size_t columns, bool signs) {
  Random random(7);
  Columns table;
  for (std::size_t j = 0; j < columns; ++j) {
    table.push_back(signs ? random.signs(rows, 0.2 + 0.02 * static_cast<double>(j))
                          : random.normals(rows));
  }
  return table;
}

std::vector<Parity> parities_of(const Design& design, int depth) {
  std::vector<Parity> parities{Parity()};
  for (const DesignFeature& feature : design.features) {
    const auto added = parities_with(feature, parities, depth);
    parities.insert(parities.end(), added.begin(), added.end());
  }
  return parities;
}

TEST(Fold, SameBytesForAnyNumberOfThreads) {
  const MemorySource source = testing::table(mixed(50'000, 12, false));
  NoProgress progress;
  const Design design = make_design(source, progress);
  const Moments moments(source.schema());
  const ParityGram gram(design, {}, parities_of(design, 2), {});
  for (const int threads : {2, 7}) {
    EXPECT_EQ(folded_with(1, source, moments), folded_with(threads, source, moments));
    EXPECT_EQ(folded_with(1, source, gram), folded_with(threads, source, gram));
  }
}

TEST(Fold, LargeAccumulatorsTakeAllBlocksThemselves) {
  const MemorySource source = testing::table(mixed(9'000, 20, false));
  NoProgress progress;
  const Design design = make_design(source, progress);
  const ParityGram gram(design, {}, parities_of(design, 3), {});
  ASSERT_GT(gram.bytes(), stats::detail::large_accumulator);
  EXPECT_EQ(folded_with(1, source, gram), folded_with(7, source, gram));
}

// Counts its copies (a move is one too), takes its time, and may fail.
struct Counted {
  Counted() = default;
  Counted(const Counted&) = default;
  Counted& operator=(const Counted&) = default;

  std::shared_ptr<int> copies = std::make_shared<int>();
  bool fails = false;

  void add(const Block& block) const {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    if (fails && block.first_row > 20'000) throw Error("no more");
  }
  void merge(const Counted&) {}
  void save(std::ostream&) const {}
  void load(std::istream&) {}
  [[nodiscard]] std::size_t bytes() const { return sizeof *this; }
};

class StopsSoon final : public Progress {
 public:
  void begin(std::string_view, std::uint64_t) override {}
  void advance(std::uint64_t done) override {
    if (done > 20'000) throw Error("stop", Error::Kind::interrupted);
  }
  void end() override {}
};

TEST(Fold, AnErrorLeavesNoBlockBehind) {
  const MemorySource source = testing::table(mixed(50'000, 3, false));
  Counted zero;
  StopsSoon stops;
  NoProgress progress;
  for (int repeat = 0; repeat < 10; ++repeat) {
    zero.fails = false;
    EXPECT_THROW(fold(source, zero, "test", stops), Error);
    EXPECT_EQ(zero.copies.use_count(), 1);
    zero.fails = true;
    EXPECT_THROW(fold(source, zero, "test", progress), Error);
    EXPECT_EQ(zero.copies.use_count(), 1);
  }
}

// Any accumulator: two parts, one of them saved and loaded, merge to the whole.
template <class A>
void check_parts(const MemorySource& source, const A& zero, double tolerance) {
  NoProgress progress;
  const A whole = fold(source, zero, "test", progress);
  A first = zero;
  A second = zero;
  const auto reader = source.open();
  Block block;
  for (int k = 0; reader->next(block); ++k) (k % 2 == 0 ? first : second).add(block);
  std::stringstream saved;
  second.save(saved);
  A loaded = zero;
  loaded.load(saved);
  EXPECT_EQ(saved_bytes(second), saved_bytes(loaded));
  first.merge(loaded);
  const std::string merged = saved_bytes(first);
  const std::string expected = saved_bytes(whole);
  ASSERT_EQ(merged.size(), expected.size());
  if (tolerance == 0) {
    EXPECT_EQ(merged, expected);
  } else {
    for (std::size_t i = 8; i + 8 <= merged.size(); i += 8) {
      double a = 0;
      double b = 0;
      std::memcpy(&a, merged.data() + i, 8);
      std::memcpy(&b, expected.data() + i, 8);
      ASSERT_NEAR(a, b, tolerance * (1 + std::abs(b)));
    }
  }
  std::stringstream cut(saved_bytes(whole).substr(0, 12));
  EXPECT_THROW(loaded.load(cut), Error);
}

TEST(Accumulators, PartsMergeToTheWhole) {
  NoProgress progress;
  const MemorySource numbers = testing::table(mixed(20'000, 5, false));
  const Design design = make_design(numbers, progress);
  check_parts(numbers, ParityGram(design, {}, parities_of(design, 2), {}), 1e-12);

  const MemorySource signs = testing::table(mixed(20'000, 5, true));
  const Design sign_design = make_design(signs, progress);
  check_parts(signs, SignMoments(sign_design, parities_of(sign_design, 2), {4}), 0);
  check_parts(signs, SignPairs(sign_design, {0, 1, 2}, {3, 4}), 0);
}

TEST(Accumulators, MomentsAreThoseOfTheData) {
  const MemorySource source = testing::table({{1, 2, 3, 4}, {5, 5, 5, 5}, {0, 1, 2, 1}}, {0, 0, 3});
  NoProgress progress;
  const Moments moments = fold(source, Moments(source.schema()), "test", progress);
  EXPECT_EQ(moments.rows(), 4U);
  EXPECT_DOUBLE_EQ(moments.numeric(0).mean, 2.5);
  EXPECT_DOUBLE_EQ(moments.numeric(0).squares, 5);
  EXPECT_EQ(moments.numeric(1).distinct, 1);
  EXPECT_EQ(moments.numeric(0).distinct, 3);
  EXPECT_EQ(moments.counts(2), (std::vector<double>{1, 2, 1}));
}

TEST(Design, RejectsWhatCannotBeStandardised) {
  NoProgress progress;
  EXPECT_THROW(std::ignore = make_design(testing::table({{1e200, -1e200, 3}}), progress), Error);
  EXPECT_THROW(std::ignore = make_design(testing::table({{1}}), progress), Error);
}

TEST(Design, ExpandsCategoricalColumnsToIndicators) {
  NoProgress progress;
  const Design design =
      make_design(testing::table({{0, 1, 2, 1}, {3, 3, 3, 3}, {0, 0, 0, 0}}, {3, 0, 1}), progress);
  ASSERT_EQ(design.columns.size(), 2U);
  EXPECT_EQ(design.columns[0].name, "x1=b");
  EXPECT_DOUBLE_EQ(design.columns[0].mean, 0.5);
  EXPECT_TRUE(design.features[1].constant);
  EXPECT_TRUE(design.features[2].constant);
}

}  // namespace
}  // namespace fsieve
