// Waves whose inner products are formed when they are needed: the numbers of those that are formed
// all at once.
#include "span/wave_on_demand.h"

#include <gtest/gtest.h>

#include "span/products.h"
#include "span/wave.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::Random;

// Columns of few values, some of which follow from others: most products are trivial.
MemorySource dependent_table(std::size_t rows, std::size_t columns) {
  Random random(7);
  Columns values(columns, std::vector<double>(rows));
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t i = 0; i < rows; ++i) {
      values[j][i] =
          j % 3 == 2 ? values[j - 1][i] * values[j - 2][i] : static_cast<double>(random.below(3));
    }
  }
  return testing::table(values);
}

struct Waves {
  Waves(std::size_t rows, std::size_t members, std::size_t columns, int depth)
      : source(dependent_table(rows, columns)), design(make_design(source, progress)) {
    std::vector<Parity> all{Parity()};
    for (std::size_t j = 0; j < members; ++j) {
      const auto added = parities_with(design.features[j], all, depth);
      all.insert(all.end(), added.begin(), added.end());
    }
    parities.assign(all.begin() + 1, all.end());
    for (std::size_t c = members; c < columns; ++c) singles.push_back(c);
  }

  template <class Matrix>
  std::vector<std::size_t> factorised(Matrix& matrix) const {
    constexpr std::size_t width = 128;
    std::vector<std::size_t> kept;
    for (std::size_t begin = 0; begin < parities.size(); begin += width) {
      const auto stay = matrix.factorise(begin, std::min(begin + width, parities.size()),
                                         [&](std::size_t q) { return matrix.residual2(q) > 0.05; });
      kept.insert(kept.end(), stay.begin(), stay.end());
      matrix.form_singles();
    }
    return kept;
  }

  NoProgress progress;
  MemorySource source;
  Design design;
  std::vector<Parity> old{Parity()};
  std::vector<Parity> parities;
  std::vector<std::size_t> singles;
};

void compare(std::size_t rows, std::size_t members, std::size_t columns, int depth,
             bool with_moments) {
  Waves waves(rows, members, columns, depth);
  const std::vector<double> lower{1.0};
  const std::vector<double> coordinates(waves.singles.size(), 0.0);
  std::optional<MomentIndex> moments;
  if (with_moments) moments.emplace(waves.old, waves.parities);
  WaveMatrix all(Products(waves.source, waves.design)
                     .inner(waves.old, waves.parities, waves.singles, waves.progress,
                            Counting::allowed, moments),
                 1, waves.parities.size(), waves.singles.size());
  all.project_out(lower.data(), 1, coordinates);
  ASSERT_TRUE(WaveOnDemand::possible(waves.source, waves.design, waves.old, waves.parities,
                                     waves.singles, false));
  const std::vector<bool> trivial(waves.parities.size());
  WaveOnDemand some(waves.source, waves.design, waves.old, waves.parities, trivial, waves.singles,
                    lower.data(), coordinates, nullptr, false, false, std::move(moments),
                    waves.progress);
  const auto kept = waves.factorised(all);
  ASSERT_EQ(kept, waves.factorised(some));
  EXPECT_GT(kept.size(), 10U);
  EXPECT_LT(kept.size(), waves.parities.size());
  for (std::size_t k = 0; k < kept.size(); ++k) {
    EXPECT_NEAR(all.on_old(kept[k], 0), some.on_old(kept[k], 0), 1e-12);
    for (std::size_t l = k; l < kept.size(); ++l) {
      ASSERT_NEAR(all.on_new(kept[l], kept[k]), some.on_new(kept[l], kept[k]), 1e-10);
    }
    for (std::size_t s = 0; s < waves.singles.size(); ++s) {
      ASSERT_NEAR(all.single_on_new(s, kept[k]), some.single_on_new(s, kept[k]), 1e-10);
    }
  }
}

TEST(WaveOnDemand, GivesTheNumbersOfAllAtOnce) {
  for (const bool moments : {false, true}) {
    compare(700, 14, 23, 3, moments);
    compare(5000, 9, 10, 3, moments);
    compare(300, 20, 21, 2, moments);
  }
}

TEST(WaveOnDemand, NeedsNoSingleColumns) {
  compare(400, 12, 12, 3, false);
  compare(400, 12, 12, 3, true);
}

}  // namespace
}  // namespace fsieve
