// Saved statistics: the same bytes for the same state, and nothing else is loaded.
#include "base/binary.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <new>
#include <sstream>
#include <vector>

#include "fsieve/progress.h"
#include "linalg/blas.h"
#include "linalg/pieces.h"
#include "span/parity_sums.h"
#include "stats/moments.h"
#include "tables.h"

namespace fsieve {
namespace {

template <class A>
std::string bytes_of(const A& state) {
  std::ostringstream out;
  state.save(out);
  return out.str();
}

// Moments in memory that held something else before: what lies between their fields differs.
std::string bytes_over(unsigned char before) {
  const MemorySource source = testing::table({{1, 2, 3}, {0, 1, 0}}, {0, 2});
  struct Held {
    alignas(NumericMoments) unsigned char room[sizeof(NumericMoments)];
  };
  std::vector<Held> noise(64);
  std::memset(noise.data(), before, noise.size() * sizeof(Held));
  noise.clear();
  noise.shrink_to_fit();
  Moments moments(source.schema());
  Block block;
  const auto reader = source.open();
  while (reader->next(block)) moments.add(block);
  return bytes_of(moments);
}

TEST(Saved, EqualStatesGiveEqualBytes) {
  EXPECT_EQ(bytes_over(0x00), bytes_over(0xFF));
  // rows, weight, two columns of seven fields behind their count, and the counts of levels.
  EXPECT_EQ(bytes_over(0).size(), 8U * (2 + 1 + 2 * 7 + 1 + 1 + 2));
}

TEST(Saved, NumbersAreLittleEndian) {
  std::ostringstream out;
  save_value(out, std::uint32_t{0x01020304});
  EXPECT_EQ(out.str(), "\x04\x03\x02\x01");
  std::istringstream in(out.str());
  std::uint32_t value = 0;
  load_value(in, value);
  EXPECT_EQ(value, 0x01020304U);
}

TEST(Saved, AnotherFormatIsSaidSo) {
  const MemorySource source = testing::table({{1, 2, 3, 5}, {0, 1, 0, 2}});
  NoProgress progress;
  ParitySums sums(source.schema(), 1);
  sums.add(source, progress);
  const std::string saved = bytes_of(sums);
  EXPECT_EQ(saved.substr(0, 6), "fsieve");
  ParitySums loaded(source.schema(), 1);
  std::istringstream whole(saved);
  loaded.load(whole);
  EXPECT_EQ(bytes_of(loaded), saved);
  std::string renamed = saved;
  renamed[0] = 'X';
  for (const std::string& wrong :
       {std::string(), saved.substr(8), renamed, saved.substr(0, saved.size() - 1)}) {
    std::istringstream in(wrong);
    EXPECT_THROW(ParitySums(source.schema(), 1).load(in), Error);
  }
}

TEST(Blas, SizesThatAnIntCannotHold) {
  const std::size_t large = std::size_t{1} << 31U;
  double value = 0;
  EXPECT_THROW(blas::gemv(blas::Op::none, large, 1, 1.0, &value, large, &value, 0.0, &value),
               Error);
  EXPECT_THROW(blas::gemm(blas::Op::none, blas::Op::none, large, 1, 1, 1.0, &value, large, &value,
                          1, 0.0, &value, large),
               Error);
  EXPECT_THROW(blas::syrk_lower(blas::Op::none, 1, 1, 1.0F, nullptr, large, 0.0F, nullptr, 1),
               Error);
  std::vector<std::pair<std::size_t, std::size_t>> pieces;
  blas::for_each_piece(3 * large + 5, large, [&](std::size_t first, std::size_t count) {
    pieces.emplace_back(first, count);
  });
  const std::vector<std::pair<std::size_t, std::size_t>> expected{
      {0, large}, {large, large}, {2 * large, large}, {3 * large, 5}};
  EXPECT_EQ(pieces, expected);
}

}  // namespace
}  // namespace fsieve
