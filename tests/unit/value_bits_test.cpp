// Numbers to bits against loops over them.
#include "bits/value_bits.h"

#include <gtest/gtest.h>

#include "bits/bit_split.h"
#include "bits/column_values.h"
#include "data/sign_bits.h"
#include "tables.h"

namespace fsieve {
namespace {

std::vector<double> few_values(std::size_t count, testing::Random& random) {
  std::vector<double> values(count);
  for (double& value : values) value = std::array{-0.0, 0.0, 1.0, 2.5}[random.below(4)];
  return values;
}

TEST(ValueBits, AreThoseOfLoops) {
  testing::Random random(1);
  for (const std::size_t count : {1U, 7U, 63U, 64U, 65U, 200U, 1030U}) {
    const std::vector<double> values = few_values(count, random);
    std::array<std::uint64_t, 2> equal{};
    std::vector<std::uint64_t> above(words_for(count));
    std::vector<std::uint64_t> same(words_for(count));
    std::vector<std::uint64_t> second(words_for(count));
    for (std::size_t i = 0; i < count; ++i) {
      equal[0] += values[i] == 0 ? 1 : 0;
      equal[1] += values[i] == 2.5 ? 1 : 0;
      above[i / 64] |= std::uint64_t{values[i] > 0} << (i % 64);
      same[i / 64] |= std::uint64_t{values[i] == 0} << (i % 64);
      second[i / 64] |= std::uint64_t{values[i] == 2.5} << (i % 64);
    }
    std::vector<std::uint64_t> packed(words_for(count), ~std::uint64_t{0});
    EXPECT_EQ(count_equal(values, 0, 2.5, packed.data()), equal);
    EXPECT_EQ(packed, second);
    pack_above(values, 0, packed.data());
    EXPECT_EQ(packed, above);
    pack_equal(values, 0, packed.data());
    EXPECT_EQ(packed, same);
  }
}

TEST(BitSplit, PutsRowsInTheOrderOfTheirClasses) {
  testing::Random random(2);
  for (const std::size_t rows : {2U, 64U, 130U, 700U, 1500U}) {
    std::vector<std::size_t> classes(rows);
    for (std::size_t& code : classes) code = random.below(3) == 0 ? 1 : 0;
    const ClassOrder order(classes, 2);
    const std::vector<std::uint8_t> codes(classes.begin(), classes.end());
    BitStore expected(2, order.words);
    BitStore found(2, order.words);
    BitSplit split(order);
    for (std::size_t first = 0; first < rows; first += 128) {  // as blocks come
      const std::size_t count = std::min<std::size_t>(128, rows - first);
      split.go_on(std::span(codes).subspan(first, count));
      for (std::size_t column = 0; column < 2; ++column) {
        std::vector<std::uint64_t> bits(words_for(count));
        for (std::size_t i = 0; i < count; ++i) {
          const bool set = random.below(2) == 0;
          bits[i / 64] |= std::uint64_t{set} << (i % 64);
          if (set) order.set(expected.column(column), first + i);
        }
        split.add(bits, found.column(column));
      }
    }
    for (std::size_t column = 0; column < 2; ++column) {
      EXPECT_TRUE(std::equal(found.column(column), found.column(column) + order.words,
                             expected.column(column)));
    }
  }
}

// Of two whole segments of words the second ends where the next column begins, which another thread
// may be writing: rows of the first class that come later must not touch it. (The address sanitizer
// sees it here, where nothing follows.)
TEST(BitSplit, DoesNotTouchTheNextColumn) {
  const std::size_t of_class = 512;
  std::vector<std::uint8_t> codes(2 * of_class);
  std::fill_n(codes.begin(), of_class, std::uint8_t{1});
  const ClassSegments order({of_class, of_class});
  ASSERT_EQ(order.words, codes.size() / 64);
  BitSplit split(order);
  split.go_on(codes);
  std::vector<std::uint64_t> column(order.words);
  column.shrink_to_fit();
  split.add(std::vector<std::uint64_t>(order.words, ~std::uint64_t{0}), column.data());
  EXPECT_EQ(column, std::vector<std::uint64_t>(order.words, ~std::uint64_t{0}));
}

TEST(FewValues, AreTheFirstTwoWithTheirRows) {
  testing::Random random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t kinds = 1 + random.below(3);
    std::vector<double> values(1 + random.below(1500));
    for (double& value : values) value = static_cast<double>(random.below(kinds)) - 1;
    FewValues all;
    all.keeps_bits = true;
    const std::size_t step = 1 + random.below(700);
    for (std::size_t first = 0; first < values.size(); first += step) {
      const auto some = std::span(values).subspan(first, std::min(step, values.size() - first));
      if (random.below(3) == 0) {
        all.add(some);
        continue;
      }
      FewValues part;
      part.keeps_bits = true;
      part.add(some);
      all.merge(part);
    }
    std::vector<double> distinct;
    for (const double value : values) {
      if (std::find(distinct.begin(), distinct.end(), value) == distinct.end()) {
        distinct.push_back(value);
      }
    }
    ASSERT_EQ(all.distinct, static_cast<int>(distinct.size()));
    if (distinct.size() > 2) continue;
    for (std::size_t k = 0; k < distinct.size(); ++k) {
      EXPECT_EQ(all.values[k], distinct[k]);
      EXPECT_EQ(all.rows[k],
                static_cast<std::uint64_t>(std::count(values.begin(), values.end(), distinct[k])));
    }
    if (distinct.size() == 2) {
      std::vector<std::uint64_t> high(words_for(values.size()));
      for (std::size_t i = 0; i < values.size(); ++i) {
        high[i / 64] |= std::uint64_t{values[i] == all.high()} << (i % 64);
      }
      EXPECT_EQ(all.high_bits(), high);
    }
    EXPECT_EQ(all.high(), *std::max_element(values.begin(), values.end()));
    EXPECT_EQ(all.rows_high(),
              static_cast<std::uint64_t>(std::count(values.begin(), values.end(), all.high())));
  }
}

}  // namespace
}  // namespace fsieve
