// Inner products of parities: by matrix products, by bit counts, and by the definition.
#include "span/products.h"

#include <gtest/gtest.h>

#include "bits/xor_count.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::Random;

std::vector<Parity> parities_of(const Design& design, std::size_t features, int depth) {
  std::vector<Parity> parities{Parity()};
  for (std::size_t j = 0; j < features; ++j) {
    const auto added = parities_with(design.features[j], parities, depth);
    parities.insert(parities.end(), added.begin(), added.end());
  }
  return parities;
}

// (1/n) sum f g, from the standardised columns, with no thought for speed.
double by_definition(const MemorySource& source, const Design& design, const Parity& f,
                     const Parity& g) {
  Block all;
  all.rows = all.stride = source.rows();
  all.values = source.in_memory().data();
  std::vector<double> value(source.rows(), 1.0);
  std::vector<double> factor(source.rows());
  for (const Parity& parity : {f, g}) {
    for (const std::uint32_t column : parity.columns()) {
      design.standardised(all, 0, source.rows(), column, factor.data());
      for (std::size_t i = 0; i < value.size(); ++i) value[i] *= factor[i];
    }
  }
  double total = 0;
  for (const double v : value) total += v;
  return total / static_cast<double>(source.rows());
}

void compare(const MemorySource& source, std::size_t in_parities, int depth,
             std::size_t old_count) {
  NoProgress progress;
  const Design design = make_design(source, progress);
  const std::vector<Parity> all = parities_of(design, in_parities, depth);
  const std::vector<Parity> old_parities(all.begin(), all.begin() + old_count);
  const std::vector<Parity> new_parities(all.begin() + old_count, all.end());
  std::vector<std::size_t> singles;
  for (std::size_t c = design.features[in_parities].first; c < design.columns.size(); ++c) {
    singles.push_back(c);
  }
  std::vector<Parity> rows = all;
  for (const std::size_t c : singles) rows.push_back(Parity().times(c));
  for (const Counting counting : {Counting::allowed, Counting::never}) {
    const auto products =
        Products(source, design).inner(old_parities, new_parities, singles, progress, counting);
    for (std::size_t q = 0; q < new_parities.size(); ++q) {
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const bool above_diagonal = r >= old_count && r < all.size() && r - old_count < q;
        if (above_diagonal) continue;
        ASSERT_NEAR(products.data()[r + q * rows.size()],
                    by_definition(source, design, rows[r], new_parities[q]), 1e-10)
            << "row " << r << " column " << q << " counting " << static_cast<int>(counting);
      }
    }
  }
}

TEST(InnerProducts, EqualTheDefinitionForEveryKindOfColumn) {
  Random random(3);
  const std::size_t n = 5'000;  // more than one block
  const Columns signs = {random.signs(n, 0.5),  random.signs(n, 0.1), random.signs(n, 0.97),
                         random.signs(n, 0.6),  random.signs(n, 0.3), random.signs(n, 0.5),
                         random.signs(n, 0.01), random.codes(n, 2)};
  const Columns numbers = {random.normals(n), random.signs(n), random.normals(n), random.normals(n),
                           random.normals(n), random.signs(n), random.codes(n, 4)};
  for (int depth = 1; depth <= 3; ++depth) {
    compare(testing::table(signs), 6, depth, 1);
    compare(testing::table(signs), 6, depth, 5);
    compare(testing::table(numbers), 5, depth, 3);
    // Indicators of a text column are two-valued too.
    compare(testing::table({random.codes(300, 3), random.signs(300), random.codes(300, 3),
                            random.signs(300, 0.2), random.codes(300, 4)},
                           {3, 0, 3, 0, 4}),
            4, depth, 2);
  }
}

TEST(InnerProducts, ManySingleSignColumns) {
  Random random(4);
  Columns signs;
  for (int j = 0; j < 90; ++j) signs.push_back(random.signs(700, 0.4));
  compare(testing::table(signs), 80, 1, 31);
}

TEST(XorCount, CountsEveryLength) {
  Random random(5);
  for (std::size_t words = 0; words < 40; ++words) {
    std::vector<std::vector<std::uint64_t>> columns(8, std::vector<std::uint64_t>(words));
    for (auto& column : columns) {
      for (auto& word : column) word = (random.below(1U << 31U) << 33U) ^ random.below(1ULL << 40U);
    }
    const std::uint64_t* a[4] = {columns[0].data(), columns[1].data(), columns[2].data(),
                                 columns[3].data()};
    const std::uint64_t* b[4] = {columns[4].data(), columns[5].data(), columns[6].data(),
                                 columns[7].data()};
    std::int64_t counts[16] = {};
    add_xor_counts_4x4(a, b, words, counts);
    for (int k = 0; k < 16; ++k) {
      std::int64_t expected = 0;
      for (std::size_t w = 0; w < words; ++w) {
        expected += __builtin_popcountll(a[k / 4][w] ^ b[k % 4][w]);
      }
      EXPECT_EQ(counts[k], expected);
    }
  }
}

}  // namespace
}  // namespace fsieve
