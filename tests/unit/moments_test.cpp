// Inner products that are found among moments: those of the pairs, one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "linalg/narrow.h"
#include "span/moment_gram.h"
#include "span/products.h"
#include "split_source.h"
#include "stats/fold.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::Random;

// Columns with long tails: products of three of them live on few rows.
MemorySource tailed_table(std::size_t rows, std::size_t columns) {
  Random random(3);
  Columns values;
  for (std::size_t j = 0; j < columns; ++j) {
    values.push_back(random.normals(rows));
    for (double& value : values.back()) value = std::exp(1.5 * value);
  }
  return testing::table(values);
}

// All parities of the first features, and those that the others bring after them.
struct Wave {
  Wave(const Design& design, std::size_t before, int depth) {
    for (std::size_t j = 0; j < design.features.size(); ++j) {
      std::vector<Parity> all = old_parities;
      all.insert(all.end(), new_parities.begin(), new_parities.end());
      const auto added = parities_with(design.features[j], all, depth);
      auto& to = j < before ? old_parities : new_parities;
      to.insert(to.end(), added.begin(), added.end());
    }
  }

  std::vector<Parity> old_parities{Parity()};
  std::vector<Parity> new_parities;
};

// Of all pairs, with single columns too: the largest difference, relative to the product of the
// functions' lengths, which are those of standardised columns' products.
double largest_difference(const Buffer& found, const Buffer& expected, const Wave& wave,
                          std::size_t singles) {
  const std::size_t old = wave.old_parities.size();
  const std::size_t height = old + wave.new_parities.size() + singles;
  double largest = 0;
  for (std::size_t q = 0; q < wave.new_parities.size(); ++q) {
    for (std::size_t r = 0; r < height; ++r) {
      if (r >= old && r < old + q) continue;  // above the diagonal
      const std::size_t k = r + q * height;
      const double difference = std::abs(found.data()[k] - expected.data()[k]);
      largest = std::max(largest, difference / std::max(1.0, std::abs(expected.data()[k])));
    }
  }
  return largest;
}

Buffer of_moments(const Source& source, const Design& design, const Wave& wave,
                  const std::vector<std::size_t>& singles) {
  NoProgress progress;
  return fold(source,
              MomentGram(design, MomentIndex(wave.old_parities, wave.new_parities),
                         wave.old_parities, wave.new_parities, singles),
              "inner products", progress)
      .inner_products();
}

void expect_those_of_pairs(const Source& source, std::size_t before, int depth) {
  NoProgress progress;
  const Design design = make_design(source, progress);
  const Wave wave(design, before, depth);
  const std::vector<std::size_t> singles{1, 0};
  const Buffer pairs =
      Products(source, design)
          .inner(wave.old_parities, wave.new_parities, singles, progress, Counting::never);
  const Buffer moments = of_moments(source, design, wave, singles);
  EXPECT_LT(largest_difference(moments, pairs, wave, singles.size()), 1e-12);
}

TEST(Moments, AreThoseOfPairs) {
  const MemorySource table = tailed_table(700, 9);
  for (int depth = 1; depth <= 4; ++depth) {
    for (const std::size_t before : {0U, 1U, 5U, 8U}) expect_those_of_pairs(table, before, depth);
  }
}

TEST(Moments, OfWeightedRows) {
  Random random(5);
  std::vector<double> weights = random.normals(400);
  for (double& weight : weights) weight = weight * weight;
  const Columns columns{random.normals(400), random.normals(400), random.normals(400),
                        random.normals(400), random.signs(400)};
  const MemorySource rows = testing::table(columns);
  expect_those_of_pairs(WeightedSource(rows, weights), 2, 3);
}

TEST(Moments, OfManyBlocks) {
  NoProgress progress;
  const MemorySource whole = tailed_table(20'000, 6);
  const Design design = make_design(whole, progress);
  const Wave wave(design, 3, 3);
  const Buffer expected = of_moments(whole, design, wave, {0});
  const testing::SplitSource parts(whole, 7001);
  EXPECT_LT(largest_difference(of_moments(parts, design, wave, {0}), expected, wave, 1), 1e-12);
}

TEST(Moments, InSinglePrecisionAreWithinTheirRounding) {
  NoProgress progress;
  const MemorySource table = tailed_table(9000, 8);
  const Design design = make_design(table, progress);
  const Wave wave(design, 2, 3);
  const MomentIndex index(wave.old_parities, wave.new_parities);
  const auto exact = fold(table, MomentSums<double>(design, index, 0), "", progress).moments();
  const auto some = fold(table, MomentSums<float>(design, index, 0), "", progress).moments();
  const auto moment = [&](const Buffer& moments, const Parity& a, const Parity& b) {
    return moments.data()[MomentRow(index, a).number(index.symbols_of(b))];
  };
  const double bound = blas::rounding_of_inner_product(MomentSums<float>::roundings);
  for (const Parity& a : wave.new_parities) {
    for (const Parity& b : wave.new_parities) {
      const double scale = std::sqrt(moment(exact, a, a) * moment(exact, b, b));
      EXPECT_LT(std::abs(moment(some, a, b) - moment(exact, a, b)), bound * scale);
    }
  }
}

TEST(Moments, PayWhereManyPairsShareThem) {
  NoProgress progress;
  const MemorySource table = tailed_table(50, 20);
  const Design design = make_design(table, progress);
  const Wave deep(design, 10, 3);
  const auto old = static_cast<double>(deep.old_parities.size());
  const auto added = static_cast<double>(deep.new_parities.size());
  EXPECT_TRUE(
      MomentIndex::where_it_pays(deep.old_parities, deep.new_parities, added * (old + added / 2)));
  EXPECT_FALSE(MomentIndex::where_it_pays(deep.old_parities, deep.new_parities, 20 * (old + 10)));
  EXPECT_FALSE(MomentIndex::where_it_pays({Parity()}, {deep.new_parities.back()}, 2));
  const Wave flat(design, 0, 1);
  EXPECT_FALSE(MomentIndex::where_it_pays(flat.old_parities, flat.new_parities, 20 * 11));
  // A moment needs a new column.
  std::vector<Parity> mixed = deep.new_parities;
  mixed.push_back(deep.old_parities.back());
  EXPECT_FALSE(MomentIndex::where_it_pays(deep.old_parities, mixed, added * (old + added)));
}

}  // namespace
}  // namespace fsieve
