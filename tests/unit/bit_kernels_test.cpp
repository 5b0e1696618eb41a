// Kernels that count bits and rows, with every instruction set.
#include <array>
#include <cmath>
#include <cstdint>
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
#include "methods/junta/promising_juntas.h"
#include "methods/junta/weighted_score.h"
#include "unit/instruction_sets.h"

namespace fsieve {
namespace {

class BitKernels : public InstructionSets {};

TEST_F(BitKernels, AndCounts) {
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

TEST_F(BitKernels, XorCounts) {
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

TEST_F(BitKernels, MaskCounts) {
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

TEST_F(BitKernels, BitsOfNumbers) {
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

TEST_F(BitKernels, RecordsAndColumns) {
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

TEST_F(BitKernels, CellsOfRows) {
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

TEST_F(BitKernels, Leads) {
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

TEST_F(BitKernels, PromisingSubsets) {
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

TEST_F(BitKernels, PromisingBlocks) {
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

TEST_F(BitKernels, PromisingJuntas) {
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

TEST_F(BitKernels, PossibleTwins) {
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

}  // namespace
}  // namespace fsieve
