// Counts of all subsets of two-valued features against loops over the rows.
#include "bits/sign_counts.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "tables.h"

namespace fsieve {
namespace {

struct SignRows {
  std::vector<std::size_t> codes;
  std::vector<std::vector<bool>> set;  // per feature
};

SignRows random_rows(std::size_t rows, std::size_t features, std::size_t classes,
                     std::uint64_t seed) {
  testing::Random random(seed);
  SignRows result{std::vector<std::size_t>(rows),
                  std::vector<std::vector<bool>>(features, std::vector<bool>(rows))};
  for (std::size_t i = 0; i < rows; ++i) {
    result.codes[i] = random.below(classes);
    for (std::size_t j = 0; j < features; ++j) result.set[j][i] = random.below(j % 4 + 2) == 0;
  }
  return result;
}

// The table of a subset, in the order of make_cells: prefix bits low, the first feature's absence
// on top.
std::vector<std::int64_t> plain_cells(const SignRows& data, const std::vector<std::size_t>& subset,
                                      std::size_t classes) {
  const std::size_t width = std::size_t{1} << subset.size();
  std::vector<std::int64_t> cells(classes * width);
  for (std::size_t i = 0; i < data.codes.size(); ++i) {
    std::size_t s = data.set[subset[0]][i] ? 0 : width / 2;
    for (std::size_t k = 1; k < subset.size(); ++k) {
      if (data.set[subset[k]][i]) s |= std::size_t{1} << (k - 1);
    }
    ++cells[data.codes[i] * width + s];
  }
  return cells;
}

void check_counts(std::size_t rows, std::size_t features, std::size_t classes, double table_bytes) {
  const SignRows data = random_rows(rows, features, classes, rows + classes);
  const ClassOrder order(data.codes, classes);
  BitStore bits(features, order.words);
  for (std::size_t j = 0; j < features; ++j) {
    for (std::size_t i = 0; i < rows; ++i) {
      if (data.set[j][i]) order.set(bits.column(j), i);
    }
  }
  SignCounts counts(order, bits, features, table_bytes);
  std::vector<std::int64_t> cells;
  for (std::size_t j = 0; j < features; ++j) {
    make_cells(counts.singles(), j, cells);
    ASSERT_EQ(cells, plain_cells(data, {j}, classes));
  }
  // In no order of sizes, as tables made for one are used by the next.
  for (const int size : {3, 2, 6, 4, 5}) {
    if (features > 12 && size > 3) continue;
    std::map<std::vector<std::size_t>, std::vector<std::int64_t>> found;
    std::mutex mutex;
    NoProgress unseen;
    SharedProgress progress(unseen, "", 0);
    counts.for_each_tile(size, progress, [&](SignCounts::CountedTile& counted) {
      const SubsetTile& tile = counted.subsets();
      for (std::size_t b = tile.b0; b < tile.b1; ++b) {
        const PrefixCounts prefix = counted.with_prefix(b);
        for (std::size_t k = 0; k < prefix.count; ++k) {
          std::vector<std::size_t> subset{tile.c0 + k, b};
          subset.insert(subset.end(), tile.outer.begin(), tile.outer.end());
          std::vector<std::int64_t> of_subset;
          make_cells(prefix, k, of_subset);
          const std::lock_guard lock(mutex);
          ASSERT_TRUE(found.emplace(subset, of_subset).second) << "counted twice";
        }
      }
    });
    ASSERT_EQ(found.size(), choose_exactly(features, static_cast<std::size_t>(size)));
    for (const auto& [subset, table] : found) ASSERT_EQ(table, plain_cells(data, subset, classes));
  }
}

TEST(SignCounts, AreThoseOfLoops) {
  for (const double table_bytes : {1e9, 0.0}) {
    check_counts(90, 9, 2, table_bytes);
    check_counts(700, 8, 2, table_bytes);
    check_counts(200, 8, 5, table_bytes);
    check_counts(40, 37, 1, table_bytes);
  }
}

}  // namespace
}  // namespace fsieve
