// Every kernel gives the same with every instruction set of this machine: whole numbers to the
// byte, reals up to rounding. And the choice of a set is obeyed or refused.
#include "base/instruction_set.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "bits/and_count.h"
#include "bits/lead_kernel.h"
#include "bits/mask_count.h"
#include "bits/promising.h"
#include "bits/value_bits.h"
#include "bits/xor_count.h"
#include "equation/twin_filter.h"
#include "fsieve/error.h"
#include "fsieve/version.h"
#include "linalg/column_dots.h"
#include "linalg/span_squares.h"
#include "methods/forward/column_sweeps.h"
#include "methods/forward/pair_screen.h"
#include "methods/junta/promising_juntas.h"
#include "methods/junta/weighted_score.h"
#include "methods/union/pair_screen.h"
#include "methods/union/sweep.h"
#include "span/gram_factor.h"

namespace fsieve {
namespace {

using ::testing::HasSubstr;

class InstructionSetTest : public ::testing::Test {
 protected:
  InstructionSetTest() {
    simd::obey_environment();
    before_ = simd::chosen();
  }
  ~InstructionSetTest() override { simd::choose(before_); }

  // What `kernel` gives with each set, the portable one first.
  template <typename Kernel>
  static auto with_each(const Kernel& kernel) {
    std::vector<decltype(kernel())> answers;
    auto sets = simd::available();
    for (auto set = sets.rbegin(); set != sets.rend(); ++set) {
      simd::choose(*set);
      EXPECT_EQ(simd::chosen(), *set);
      answers.push_back(kernel());
    }
    return answers;
  }

  template <typename Kernel>
  static void expect_equal(const Kernel& kernel) {
    const auto answers = with_each(kernel);
    for (const auto& answer : answers) EXPECT_EQ(answer, answers.front());
  }

  // Sums of reals are formed in another order, and a set without fused multiply-adds rounds twice.
  template <typename Kernel>
  static void expect_near(double rounding, const Kernel& kernel) {
    const auto answers = with_each(kernel);
    const auto& portable = answers.front();
    for (const auto& answer : answers) {
      ASSERT_EQ(answer.size(), portable.size());
      for (std::size_t k = 0; k < answer.size(); ++k) {
        if (answer[k] == portable[k]) continue;  // infinite, for instance
        EXPECT_NEAR(answer[k], portable[k], rounding * (1 + std::abs(portable[k]))) << k;
      }
    }
  }

  std::vector<std::uint64_t> words(std::size_t count) {
    std::vector<std::uint64_t> all(count);
    for (std::uint64_t& word : all) word = random_();
    return all;
  }

  // Columns of bits with as many words as the kernels may read past the end.
  std::vector<std::vector<std::uint64_t>> bits(std::size_t columns, std::size_t count) {
    std::vector<std::vector<std::uint64_t>> all(columns);
    for (auto& column : all) column = words(count + 8);
    return all;
  }

  template <typename Number = double>
  std::vector<Number> numbers(std::size_t count, double scale = 1) {
    std::normal_distribution<double> normal;
    std::vector<Number> all(count);
    for (Number& number : all) number = static_cast<Number>(scale * normal(random_));
    return all;
  }

  template <typename Whole>
  std::vector<Whole> wholes(std::size_t count, std::int64_t from, std::int64_t to) {
    std::uniform_int_distribution<std::int64_t> uniform(from, to);
    std::vector<Whole> all(count);
    for (Whole& whole : all) whole = static_cast<Whole>(uniform(random_));
    return all;
  }

  // As PrefixCounts: rows with random classes and features.
  struct MadeCounts {
    int bits;
    std::size_t classes, count, rows;
    std::vector<std::vector<std::uint32_t>> with;
    std::vector<std::uint32_t> without;
    std::vector<const std::uint32_t*> places;

    [[nodiscard]] PrefixCounts view() const {
      return {bits, classes, places.data(), without.data(), count};
    }
    // Rows of a class whose features of the prefix are exactly these.
    [[nodiscard]] std::vector<std::int32_t> cells(std::size_t of_class) const {
      const auto* first = without.data() + (of_class << static_cast<unsigned>(bits));
      std::vector<std::int32_t> all(first, first + (std::size_t{1} << static_cast<unsigned>(bits)));
      for (std::size_t step = 1; step < all.size(); step *= 2) {
        for (std::size_t s = 0; s < all.size(); ++s) {
          if ((s & step) == 0) all[s] -= all[s + step];
        }
      }
      return all;
    }
  };
  MadeCounts counts(int bits, std::size_t classes) {
    MadeCounts made{bits, classes, 21, 300, {}, {}, {}};
    const std::size_t subsets = std::size_t{1} << static_cast<unsigned>(bits);
    made.with.assign(classes * subsets, std::vector<std::uint32_t>(made.count + 16));
    made.without.resize(classes * subsets);
    for (std::size_t row = 0; row < made.rows; ++row) {
      const std::size_t of_class = random_() % classes;
      const std::uint64_t prefix = random_();
      const std::uint64_t last = random_();
      for (std::size_t s = 0; s < subsets; ++s) {
        if ((prefix & s) != s) continue;
        ++made.without[of_class * subsets + s];
        auto& of_subset = made.with[of_class * subsets + s];
        for (std::size_t c = 0; c < made.count; ++c) of_subset[c] += last >> c & 1U;
      }
    }
    for (const auto& of_subset : made.with) made.places.push_back(of_subset.data());
    return made;
  }

  // The numbers that `find(found)` writes.
  template <typename Found, typename Find>
  static std::vector<Found> found_by(std::size_t most, const Find& find) {
    std::vector<Found> found(most);
    found.resize(find(found.data()));
    return found;
  }

 private:
  std::string before_;
  std::mt19937_64 random_{7};
};

template <typename Number>
std::vector<const Number*> pointers(const std::vector<std::vector<Number>>& columns) {
  std::vector<const Number*> all;
  for (const auto& column : columns) all.push_back(column.data());
  return all;
}

TEST_F(InstructionSetTest, EveryMachineHasThePortableSet) {
  EXPECT_EQ(simd::available().back(), "portable");
}

TEST_F(InstructionSetTest, AndCounts) {
  for (const std::size_t words : {1U, 3U, 8U, 29U}) {
    const auto columns = bits(11, words + 1);
    const auto of = pointers(columns);
    for (const std::size_t first : {0U, 1U}) {  // words need not be aligned
      expect_equal([&] {
        std::vector<std::uint32_t> counts(5 * 6, 1);
        add_and_counts({of.data(), 5, nullptr, of.data() + 5, 6, counts.data(), 6}, first, words);
        return counts;
      });
    }
    expect_equal([&] {
      std::vector<std::uint64_t> both(words);
      and_words(of[0], of[1], words, both.data());
      return both;
    });
  }
}

TEST_F(InstructionSetTest, XorCounts) {
  for (const std::size_t words : {1U, 3U, 8U, 29U}) {
    const auto columns = bits(8, words);
    const auto of = pointers(columns);
    expect_equal([&] {
      std::array<std::int64_t, 16> counts{};
      add_xor_counts_4x4(of.data(), of.data() + 4, words, counts.data());
      return counts;
    });
  }
}

TEST_F(InstructionSetTest, MaskCounts) {
  for (std::size_t columns = 1; columns <= most_masked; ++columns) {
    const auto all = bits(columns, 29);
    const auto of = pointers(all);
    expect_equal([&] {
      std::vector<std::uint32_t> counts(std::size_t{1} << columns, 1);
      add_mask_counts(of, 29, counts.data());
      return counts;
    });
  }
}

TEST_F(InstructionSetTest, BitsOfNumbers) {
  for (const std::size_t count : {1U, 63U, 64U, 203U}) {
    const auto values = wholes<double>(count, 0, 3);
    const std::size_t length = (count + 63) / 64;
    expect_equal([&] {
      std::vector<std::uint64_t> packed(3 * length);
      const auto equal = count_equal(values, 1, 2, packed.data());
      pack_above(values, 1, packed.data() + length);
      pack_equal(values, 1, packed.data() + 2 * length);
      packed.insert(packed.end(), equal.begin(), equal.end());
      return packed;
    });
  }
  const auto some = words(29);
  const auto masks = words(29);
  expect_equal([&] {
    std::vector<std::uint64_t> gathered(some.size());
    gather_bits(some, masks, gathered.data());
    return gathered;
  });
}

TEST_F(InstructionSetTest, RecordsAndColumns) {
  for (const std::size_t columns : {3U, 70U, 512U, 700U}) {
    const std::size_t lines = (columns + record_columns - 1) / record_columns;
    const std::size_t blocks = (columns + record_words - 1) / record_words;
    const std::size_t size = lines * record_words;
    const auto records = words(100 * size);
    const auto order = wholes<std::uint32_t>(150, 0, 99);
    const auto masks = words(3);
    const std::size_t distance = masks.size() * record_words;
    if (lines == 1) {
      expect_equal([&] {
        std::vector<std::uint64_t> turned(blocks * record_words);
        turn_records(records.data(), size, columns, turned.data(), record_words);
        return turned;
      });
    }
    expect_equal([&] {
      std::vector<std::uint64_t> put(blocks * distance);
      put_rows({records.data(), size}, order.data(), order.size(), columns, {put.data(), distance});
      std::vector<std::uint64_t> masked(put.size());
      mask_columns(put.data(), masks.data(), masks.size(), columns, {masked.data(), distance});
      put.insert(put.end(), masked.begin(), masked.end());
      return put;
    });
  }
}

TEST_F(InstructionSetTest, CellsOfRows) {
  for (std::size_t width = 1; width <= 4; ++width) {
    const auto columns = bits(width, 5);
    const auto of = pointers(columns);
    const std::size_t rows = 5 * std::size_t{64};
    expect_equal([&] {
      std::vector<std::uint8_t> cells(rows);
      cells_of_rows(of.data(), width, 5, cells.data());
      return cells;
    });
    std::vector<std::uint8_t> cells(rows);
    cells_of_rows(of.data(), width, 5, cells.data());
    expect_equal([&] {
      std::vector<std::size_t> counts(std::size_t{1} << width);
      count_cells(cells.data(), rows, counts.size(), counts.data());
      return counts;
    });
  }
}

TEST_F(InstructionSetTest, Leads) {
  constexpr std::size_t columns = 24;
  for (const std::size_t width : {1U, 2U, 4U}) {
    std::vector<std::uint32_t> first{0};  // of cell 0 there are no rows
    for (std::uint32_t cell = 0; cell < 1U << width; ++cell) {
      first.push_back(cell == 0 ? 0 : first.back() + cell % 3);
    }
    const std::size_t length = first.back() + 1;
    const std::size_t distance = length * record_words;
    auto all = words(columns / record_words * distance + record_words);
    const auto labels = words(length);
    const std::size_t b0 = 16;
    for (const std::size_t b1 : {17U, 21U, 24U}) {
      std::vector<std::vector<std::int32_t>> with_q;
      for (std::size_t k = 0; k < width; ++k) {
        with_q.push_back(wholes<std::int32_t>(columns + 16, -500, 500));
      }
      const auto of_q = pointers(with_q);
      const auto with_b = wholes<std::int32_t>(width * (b1 - b0), -500, 500);
      expect_equal([&] {
        std::vector<std::int32_t> leads(width * (b1 - b0) * columns);
        count_leads({width, {all.data(), distance}, labels.data(), first.data()},
                    {b0, b1, of_q.data(), with_b.data(), leads.data(), columns});
        std::vector<std::int32_t> wanted;
        for (std::size_t row = 0; row < width * (b1 - b0); ++row) {
          const auto begin = leads.begin() + static_cast<std::ptrdiff_t>(row * columns);
          const auto below = static_cast<std::ptrdiff_t>(b0 + row % (b1 - b0));
          wanted.insert(wanted.end(), begin, begin + below);
        }
        return wanted;
      });
    }
  }
}

TEST_F(InstructionSetTest, PromisingSubsets) {
  for (const int prefix : {1, 2, 3, 4, 5}) {
    for (const std::size_t classes : {2U, 3U}) {
      const MadeCounts made = counts(prefix, classes);
      for (const std::int32_t least : {0, 40, 60, 80, 100, 120, 140, 160}) {
        expect_equal([&] {
          return found_by<std::uint32_t>(made.count, [&](std::uint32_t* found) {
            return find_promising(made.view(), least, found);
          });
        });
      }
    }
  }
}

TEST_F(InstructionSetTest, PromisingBlocks) {
  constexpr std::size_t b0 = 16;
  constexpr std::size_t b1 = 23;
  for (const unsigned prefix : {2U, 3U, 4U, 5U}) {
    const std::size_t half = std::size_t{1} << (prefix - 1);
    std::vector<std::vector<std::int32_t>> with;
    for (std::size_t s = 0; s < half * (1 + b1 - b0); ++s) {
      with.push_back(wholes<std::int32_t>(b1 + 16, -20, 20));
    }
    const auto of = pointers(with);
    const auto without = wholes<std::int32_t>(of.size(), -20, 20);
    const PrefixLeadBlock block{
        static_cast<int>(prefix), b0, b1, of.data(), without.data(), of.data() + half,
        without.data() + half};
    for (std::int32_t least = 0; least < 4000; least = least * 5 / 4 + 10) {
      expect_equal([&] {
        const auto found = found_by<PromisingPair>((b1 - b0) * b1, [&](PromisingPair* pairs) {
          return find_promising(block, least, pairs);
        });
        std::set<std::pair<std::uint32_t, std::uint32_t>> all;  // in the order of vectors
        for (const PromisingPair& pair : found) EXPECT_TRUE(all.emplace(pair.b, pair.c).second);
        return all;
      });
    }
  }
}

TEST_F(InstructionSetTest, PromisingJuntas) {
  for (const int prefix : {1, 2, 3, 4, 5}) {
    const MadeCounts made = counts(prefix, 2);
    const auto minus = made.cells(0);
    const auto plus = made.cells(1);
    auto cells = minus;
    cells.insert(cells.end(), plus.begin(), plus.end());
    std::vector<std::int32_t> lead;
    std::vector<std::int32_t> size;
    for (std::size_t s = 0; s < plus.size(); ++s) {
      lead.push_back(plus[s] - minus[s]);
      size.push_back(plus[s] + minus[s]);
    }
    auto weights = numbers<float>(plus.size(), 0.3);
    auto set = numbers<float>(made.count + 16, 0.1);
    auto clear = numbers<float>(made.count + 16, 0.1);
    for (float& weight : weights) weight = 1 + std::abs(weight);
    for (float& weight : set) weight += 2;
    for (float& weight : clear) weight += 2;
    const auto rows = static_cast<double>(made.rows);
    for (const double score : {0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6}) {
      const JuntaPrefix plain{made.view(), weights.data(), lead.data(),
                              size.data(), set.data(),     clear.data()};
      expect_equal([&] {
        return found_by<std::uint32_t>(made.count, [&](std::uint32_t* found) {
          return find_promising_juntas(plain, score * rows * rows, found);
        });
      });
      const std::array<std::uint32_t, 2> of_class{made.without[0], made.without[plus.size()]};
      const RowWeights uneven({1, 3}, of_class);
      for (const auto measure :
           {JuntaMeasure::product, JuntaMeasure::correlated, JuntaMeasure::agreement}) {
        const WeightedPrefix weighted{made.view(),  uneven,         measure,    rows,
                                      cells.data(), weights.data(), set.data(), clear.data()};
        expect_equal([&] {
          return found_by<std::uint32_t>(made.count, [&](std::uint32_t* found) {
            return find_promising_weighted(weighted, score, found);
          });
        });
      }
    }
  }
}

TEST_F(InstructionSetTest, PossibleTwins) {
  constexpr std::size_t count = 101;
  const auto units = numbers(count);
  const std::array<double, votes> values{2, -3, 5};
  std::array<std::vector<double>, 2 * votes> rows;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k] = numbers(count + 16, 0.3);  // of every third column little is off
    for (std::size_t c = 0; c < count; ++c) {
      if (c % 3 == 0) rows[k][c] *= 0.01;
      if (k >= votes) rows[k][c] += units[c] * values[k - votes];
    }
  }
  const TellingRows telling{{rows[0].data(), rows[1].data(), rows[2].data()},
                            {rows[3].data(), rows[4].data(), rows[5].data()},
                            values,
                            0.5};
  expect_equal([&] {
    std::vector<std::uint32_t> found;
    find_possible_twins(telling, count, found);
    EXPECT_GT(found.size(), count / 4);
    EXPECT_LT(found.size(), count);
    return found;
  });
}

// Inner products of whole numbers, and what is said of them in single precision.
TEST_F(InstructionSetTest, PairsThatMayHold) {
  constexpr std::size_t length = 20;
  constexpr std::size_t labels = 2;
  const auto rounded = [&](std::size_t columns) {
    auto halves = wholes<std::int16_t>(2 * columns * length, -300, 300);
    std::vector<std::int32_t> joined;
    for (std::size_t w = 0; w < halves.size(); w += 2) {
      const auto low = static_cast<std::uint16_t>(halves[w]);
      joined.push_back(static_cast<std::int32_t>(halves[w + 1]) * 65536 + low);
    }
    return joined;
  };
  const auto values = rounded(screen_panel);
  const auto squares = rounded(screen_panel);
  const auto with_label = rounded(labels * screened_at_once);
  const auto with_squares = rounded(screened_at_once);
  const std::vector<float> unit(screen_panel, 0.01F);
  const std::vector<float> off(screen_panel, 30);
  const auto terms = numbers<float>(screen_panel, 0.1);
  const PairScreenTask task{length,
                            labels,
                            screened_at_once,
                            {values.data(), unit.data(), off.data()},
                            {squares.data(), unit.data(), off.data()},
                            {with_label.data(), unit.data(), off.data()},
                            {with_squares.data(), unit.data(), off.data()},
                            nullptr,
                            terms.data(),
                            terms.data()};
  for (const float least : {1.0F, 10.0F, 100.0F, 1000.0F, 10000.0F}) {
    expect_equal([&] {
      std::array<std::uint32_t, screened_at_once> masks{};
      pairs_may_hold(task, least, masks.data());
      return masks;
    });
  }
}

// The screen of 8 bits is there in one set alone: like all others it loses no pair.
TEST_F(InstructionSetTest, CoarseScreensLoseNoPair) {
  constexpr std::size_t rows = 150;
  constexpr std::size_t count = 70;
  constexpr double least = 6;
  const auto values = numbers(count * rows);
  const auto residual = numbers(rows);
  const std::vector<double> weight(rows, 1);
  const std::vector<double> terms(count, 0);
  using Pair = std::pair<std::size_t, std::size_t>;
  std::set<Pair> good;
  for (std::size_t v = 0; v < count; ++v) {
    for (std::size_t u = 0; u < v; ++u) {
      double inner = 0;
      double norm = 0;
      for (std::size_t i = 0; i < rows; ++i) {
        const double product = values[u * rows + i] * values[v * rows + i];
        inner += product * residual[i];
        norm += product * product;
      }
      if (inner * inner / norm > least) good.emplace(u, v);
    }
  }
  EXPECT_GT(good.size(), 3U);
  const auto answers = with_each([&] {
    std::mutex guard;
    std::set<Pair> found;
    const PairScreen screen(rows, values.data(), terms, weight, residual);
    const auto left = screen.for_each([] { return least; },
                                      [&](std::size_t u, std::size_t v) {
                                        const std::lock_guard lock(guard);
                                        found.emplace(u, v);
                                      });
    EXPECT_TRUE(left.empty());
    return found;
  });
  for (const auto& found : answers) {
    EXPECT_TRUE(std::includes(found.begin(), found.end(), good.begin(), good.end()));
    EXPECT_LT(found.size(), count * (count - 1) / 4);
  }
}

TEST_F(InstructionSetTest, ColumnDots) {
  constexpr std::size_t columns = 21;
  for (const std::size_t rows : {7U, 300U}) {
    for (const std::size_t count : {1U, 5U}) {
      blas::FewFunctions functions;
      functions.resize(rows, count);
      for (std::size_t f = 0; f < count; ++f) {
        const auto values = numbers<float>(rows);
        std::copy(values.begin(), values.end(), functions[f]);
      }
      const auto values = numbers<float>(columns * rows + blas::rows_of_dots);
      std::vector<const float*> places;
      for (std::size_t c = 0; c < columns; ++c) places.push_back(values.data() + c * rows);
      expect_near(1e-4, [&] {
        std::vector<float> sums(2 * count * columns);
        blas::add_column_dots(functions, places.data(), columns, sums.data(), columns);
        blas::add_square_dots(functions, places.data(), columns, sums.data() + count * columns,
                              columns);
        return sums;
      });
    }
  }
}

TEST_F(InstructionSetTest, SpanSquares) {
  constexpr std::size_t columns = 21;
  for (const std::size_t rows : {7U, 300U}) {
    for (const std::size_t count : {1U, 19U}) {
      const auto functions = numbers(rows * count, 1 / std::sqrt(static_cast<double>(rows)));
      const auto values = numbers<float>(columns * rows);
      expect_near(1e-4, [&] {
        std::vector<float> squares(columns);
        blas::SpanSquares(functions.data(), rows, count).of(values.data(), columns, squares.data());
        return squares;
      });
    }
  }
}

TEST_F(InstructionSetTest, ColumnSweeps) {
  constexpr std::size_t columns = 37;
  constexpr std::size_t labels = 2;
  const EstimateTerms terms{0.01, 60, 90, 300, 1e-4, 1e-3, 1e-3};
  for (const std::size_t functions : {1U, 2U, 5U}) {
    auto gram = numbers(functions * (functions + 1) / 2 * columns);
    std::vector<double> squares;
    for (std::size_t a = 0; a < functions; ++a) {
      double* own = gram.data() + (a * (a + 1) / 2 + a) * columns;
      for (std::size_t c = 0; c < columns; ++c) squares.push_back(1.5 * (own[c] += 12));
      if (a > 0) own[6] = -INFINITY;  // what is no candidate
    }
    const auto on_label = numbers(functions * labels * columns);
    const ColumnSums sums{columns, functions, labels, gram.data(), on_label.data(), squares.data()};
    expect_near(1e-9, [&] {
      std::vector<double> told(2 * columns);
      told.push_back(estimate_columns(sums, terms, 0, columns, told.data(), told.data() + columns));
      return told;
    });
  }
  const auto x = numbers<float>(9 * columns);
  const auto y = numbers<float>(9 * columns);
  expect_near(1e-5, [&] {
    std::vector<double> left(2 * columns, 2.5);
    subtract_products(columns, columns, 9, x.data(), y.data(), left.data());
    subtract_multiples(columns, columns, 9, x.data(), y.data(), 3, left.data() + columns);
    return left;
  });
}

TEST_F(InstructionSetTest, FactoredGrams) {
  constexpr std::size_t rows = 40;
  constexpr std::size_t labels = 3;
  for (const std::size_t count : {1U, 6U, 19U}) {
    auto values = numbers(rows * count);
    if (count > 5) std::copy_n(values.begin(), rows, values.begin() + 5 * rows);  // is skipped
    std::vector<double> gram(count * count);
    for (std::size_t j = 0; j < count; ++j) {
      for (std::size_t i = j; i < count; ++i) {
        for (std::size_t r = 0; r < rows; ++r) {
          gram[j * count + i] += values[i * rows + r] * values[j * rows + r];
        }
      }
    }
    const auto on_label = numbers(count * labels);
    expect_near(1e-10, [&] {
      auto factor = gram;
      auto coordinates = on_label;
      const auto kept = factor_gram(count, factor.data(), count, 1e-6, labels, coordinates.data());
      EXPECT_EQ(kept.size(), count > 5 ? count - 1 : count);
      std::vector<double> told(kept.begin(), kept.end());
      for (const std::size_t k : kept) {
        told.insert(told.end(), factor.data() + k * count + k, factor.data() + (k + 1) * count);
        told.insert(told.end(), coordinates.data() + k * labels,
                    coordinates.data() + (k + 1) * labels);
      }
      return told;
    });
  }
}

TEST_F(InstructionSetTest, Sweeps) {
  constexpr std::size_t rows = 61;
  const auto b = numbers(rows);
  const auto c = numbers(rows);
  const std::array<std::vector<double>, 4> outer{{{}, numbers(rows), numbers(rows), numbers(rows)}};
  const std::array<const double*, 4> of_outer{nullptr, outer[1].data(), outer[2].data(),
                                              outer[3].data()};
  const auto transform = numbers(16 * 17 / 2, 0.05);
  const auto f = numbers(3 * std::size_t{16});
  const auto scaled = numbers(rows);
  const auto real = numbers(rows);
  const auto codes = wholes<double>(rows, 0, 2);
  for (const int features : {2, 3, 4}) {
    const SweepSubset subset{features, of_outer.data(),  b.data(),
                             c.data(), transform.data(), f.data()};
    for (const auto measure : {Measure::m_n, Measure::bayes_accuracy, Measure::q2}) {
      const bool classes = measure == Measure::bayes_accuracy;
      const SweepLabel label{measure, rows, classes ? 3U : 1U, classes ? codes.data() : real.data(),
                             scaled.data()};
      expect_near(1e-11, [&] { return std::vector{sweep(label, subset)}; });
    }
  }
}

TEST_F(InstructionSetTest, SweepsOfFourPairs) {
  for (const std::size_t rows : {64U, 67U}) {
    const auto b = numbers(rows);
    const auto base = numbers(rows);
    const auto c = numbers(4 * rows);
    const auto v = numbers(4 * std::size_t{8});
    const auto y = numbers(rows);
    const auto scaled = numbers(rows);
    const SweepLabel label{Measure::m_n, rows, 1, y.data(), scaled.data()};
    const std::array<const double*, 4> columns{c.data(), c.data() + rows, c.data() + 2 * rows,
                                               c.data() + 3 * rows};
    const std::array<const double*, 4> coefficients{v.data(), v.data() + 8, v.data() + 16,
                                                    v.data() + 24};
    expect_near(1e-12, [&] {
      std::vector<double> sums(4);
      sweep_four_pairs(label, b.data(), base.data(), columns.data(), coefficients.data(),
                       sums.data());
      return sums;
    });
  }
}

TEST_F(InstructionSetTest, SweepsOfClasses) {
  constexpr std::size_t classes = 3;
  const std::array<std::size_t, classes + 1> first{0, 16, 64, 96};
  auto weight = std::vector<double>(first.back(), 1);
  weight[15] = weight[95] = 0;
  const auto u = numbers(first.back());
  const auto v = numbers(first.back());
  const auto coefficients = numbers(4 * classes);
  const std::array<double, classes> rest{};
  const ClassSweep pair{classes,
                        94,
                        first.data(),
                        weight.data(),
                        u.data(),
                        v.data(),
                        {0.9, -0.2, 0.7, 0.1, -0.3, 0.4},
                        coefficients.data()};
  expect_near(1e-12, [&] { return std::vector{sweep_classes(pair, rest.data(), -1e300)}; });
}

TEST_F(InstructionSetTest, PairsOfManyClasses) {
  constexpr std::size_t classes = 5;
  const auto uuv = numbers(pair_group, 0.1);
  const auto uvv = numbers(pair_group, 0.1);
  const std::vector<double> uuvv(pair_group, 1.5);
  const auto class_uv = numbers(classes * pair_group, 0.05);
  const auto class_u = numbers(classes * pair_group, 0.1);
  const auto class_v = numbers(classes * pair_group, 0.1);
  const std::vector<double> share(classes, 0.2);
  const PairMeans means{classes,    uuv.data(),     uvv.data(),     uuvv.data(), class_uv.data(),
                        pair_group, class_u.data(), class_v.data(), pair_group,  share.data()};
  const std::array<std::size_t, classes + 1> first{0, 16, 32, 1072, 1072, 1088};
  const auto u = numbers<float>(first.back());
  const auto v = numbers<float>(first.back());
  auto weight = std::vector<float>(first.back(), 1);
  weight[15] = 0;
  const NarrowPair rows{u.data(), v.data(), weight.data(), first.data(), classes};
  expect_near(1e-9, [&] {
    PairFits fits(classes);
    fit_pairs(means, fits);
    std::vector<double> told = fits.f;
    for (const auto& of_pairs : fits.v) told.insert(told.end(), of_pairs, of_pairs + pair_group);
    for (std::size_t pair = 0; pair < pair_group; ++pair) {
      EXPECT_FALSE(fits.unsure[pair]);
      told.push_back(fits.ellipsoid[pair]);
      told.push_back(fits.rounding[pair]);
    }
    return told;
  });
  expect_near(1e-5, [&] {
    PairFits fits(classes);
    fit_pairs(means, fits);
    std::vector<double> parts(pair_group * classes);
    for (std::size_t pair = 0; pair < pair_group; ++pair) {
      ellipsoid_lengths(rows, fits, pair, parts.data() + pair * classes);
    }
    return parts;
  });
}

TEST_F(InstructionSetTest, BuildInfoNamesIt) {
  simd::choose("portable");
  EXPECT_THAT(build_info(), HasSubstr("SIMD: portable"));
}

TEST_F(InstructionSetTest, AnUnknownSetIsRefused) {
  try {
    simd::choose("mmx");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage);
    EXPECT_THAT(error.what(), HasSubstr("FSIEVE_SIMD is mmx"));
    EXPECT_THAT(error.what(), HasSubstr("portable"));
  }
}

}  // namespace
}  // namespace fsieve
