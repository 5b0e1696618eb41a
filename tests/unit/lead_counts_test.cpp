// Leads of all subsets of two-valued features against loops over the rows.
#include "bits/lead_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "bits/subset_counts.h"
#include "tables.h"

namespace fsieve {
namespace {

struct LeadTable {
  std::vector<std::size_t> codes;
  std::vector<std::vector<bool>> set;  // per feature
  ClassOrder order;
  BitStore bits;

  LeadTable(std::vector<std::size_t> classes, std::size_t features, testing::Random& random)
      : codes(std::move(classes)),
        set(features, std::vector<bool>(codes.size())),
        order(codes, 2),
        bits(features, order.words) {
    for (std::size_t j = 0; j < features; ++j) {
      for (std::size_t i = 0; i < codes.size(); ++i) {
        set[j][i] = random.below(j % 4 + 2) == 0;
        if (set[j][i]) order.set(bits.column(j), i);
      }
    }
  }

  [[nodiscard]] std::int32_t lead(const std::vector<std::size_t>& subset) const {
    std::int32_t total = 0;
    for (std::size_t i = 0; i < codes.size(); ++i) {
      bool all = true;
      for (const std::size_t j : subset) all = all && set[j][i];
      if (all) total += codes[i] == 1 ? 1 : -1;
    }
    return total;
  }
};

LeadTable random_table(std::size_t rows, std::size_t features, std::uint64_t seed) {
  testing::Random random(seed);
  std::vector<std::size_t> codes(rows);
  for (std::size_t& code : codes) code = random.below(3) == 0 ? 1 : 0;
  return {std::move(codes), features, random};
}

// What visit() says of {c, prefix}, `features` being the prefix behind a place.
void check_leads(const LeadTable& table, const PrefixLeads& leads,
                 std::span<const std::size_t> features, std::size_t c) {
  const std::span<const std::size_t> prefix = features.subspan(1);
  ASSERT_EQ(static_cast<std::size_t>(leads.bits), prefix.size());
  for (std::size_t mask = 0; mask < std::size_t{1} << prefix.size(); ++mask) {
    std::vector<std::size_t> subset;
    for (std::size_t k = 0; k < prefix.size(); ++k) {
      if ((mask >> k & 1U) != 0) subset.push_back(prefix[k]);
    }
    ASSERT_EQ(leads.without[mask], table.lead(subset));
    subset.push_back(c);
    ASSERT_EQ(leads.with[mask][c], table.lead(subset)) << "mask " << mask << " c " << c;
  }
}

void check_all(std::size_t rows, std::size_t features, std::size_t most) {
  const LeadTable table = random_table(rows, features, rows + features);
  LeadCounts counts(table.order, table.bits, features);
  // In no order of sizes, as tables made for one are used by the next.
  for (const std::size_t size : {4U, 3U, 5U, 6U}) {
    if (size > std::min(features, most)) continue;
    counts.prepare(size);
    std::set<std::vector<std::size_t>> seen;
    const std::size_t subsets = choose_exactly(features, size);
    BundleWalk walk(features, size, counts.width(), {0, subsets});
    for (const SubsetBundle& bundle : walk.next(subsets)) {
      counts.visit(bundle, [&](const PrefixLeads& leads, std::span<std::size_t> prefix) {
        for (std::size_t c = 0; c < leads.count; ++c) {
          prefix[0] = c;
          ASSERT_TRUE(seen.insert({prefix.begin(), prefix.end()}).second) << "counted twice";
          check_leads(table, leads, prefix, c);
        }
      });
      if (::testing::Test::HasFatalFailure()) return;
    }
    EXPECT_EQ(seen.size(), subsets);
  }
}

TEST(LeadCounts, AreThoseOfLoopsOverTheRows) {
  check_all(1, 3, 3);
  check_all(50, 8, 6);
  check_all(64, 9, 6);
  check_all(129, 11, 5);
  check_all(700, 10, 6);  // two features at a time
  check_all(1500, 9, 5);  // four
  check_all(1500, 21, 3);
}

TEST(LeadCounts, OfMoreFeaturesThanARecordsLine) {
  const std::size_t features = 520;
  const LeadTable table = random_table(70, features, 5);
  LeadCounts counts(table.order, table.bits, features);
  const std::size_t subsets = choose_exactly(features, 3);
  BundleWalk walk(features, 3, counts.width(), {choose_exactly(510, 3), subsets});
  std::size_t looked = 0;
  for (const SubsetBundle& bundle : walk.next(subsets)) {
    counts.visit(bundle, [&](const PrefixLeads& leads, std::span<std::size_t> prefix) {
      if (prefix[1] % 37 != 0 && prefix[1] < 505) return;
      for (std::size_t c = prefix[1] % 5; c < leads.count; c += 23) {
        check_leads(table, leads, prefix, c);
        ++looked;
      }
    });
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(looked, 1000U);
}

// What LeadCounts names, beside all subsets one by one.
void check_named(std::size_t rows, std::size_t features, std::size_t size) {
  const LeadTable table = random_table(rows, features, rows + size);
  LeadCounts counts(table.order, table.bits, features);
  counts.prepare(size);
  const std::size_t subsets = choose_exactly(features, size);
  std::vector<std::int32_t> sums(subsets);  // of all cells' leads, 1 at least
  for (std::size_t number = 0; number < subsets; ++number) {
    const SubsetCounts own(table.order, table.bits, subset_of_number(number, size));
    std::vector<std::int64_t> cells;
    make_cells(own.view(), 0, cells);
    const std::size_t of_class = cells.size() / 2;
    for (std::size_t s = 0; s < of_class; ++s) {
      const auto lead = static_cast<std::int32_t>(cells[of_class + s] - cells[s]);
      sums[number] += std::max(std::abs(lead), 1);
    }
  }
  std::vector<std::int32_t> sorted = sums;
  std::sort(sorted.begin(), sorted.end());
  for (const std::size_t rank :
       {std::size_t{0}, subsets / 2, subsets - subsets / 50, subsets - 1}) {
    const std::int32_t least = sorted[rank];
    std::vector<bool> named(subsets);
    BundleWalk walk(features, size, counts.width(), {0, subsets});
    for (const SubsetBundle& bundle : walk.next(subsets)) {
      counts.name_promising(
          bundle, [&] { return least; },
          [&](std::span<const std::size_t> subset) {
            ASSERT_FALSE(named[subset_number(subset)]) << "named twice";
            named[subset_number(subset)] = true;
          });
    }
    for (std::size_t k = 0; k < subsets; ++k) ASSERT_EQ(named[k], sums[k] >= least) << k;
  }
}

TEST(LeadCounts, NameTheSubsetsOfLargeLeads) {
  check_named(90, 21, 3);
  check_named(700, 37, 3);
  check_named(1500, 33, 3);
  check_named(700, 19, 4);
  check_named(1500, 17, 4);
  check_named(200, 12, 5);
  check_named(1500, 11, 6);
}

TEST(SubsetBundles, FillARangeInOrder) {
  testing::Random random(9);
  for (const std::size_t size : {3U, 4U, 5U}) {
    for (const std::size_t width : {1U, 2U, 4U}) {
      const std::size_t things = 13;
      const std::size_t all = choose_exactly(things, size);
      for (int trial = 0; trial < 40; ++trial) {
        const std::size_t first = trial == 0 ? 0 : random.below(all);
        const std::size_t end = trial < 2 ? all : first + random.below(all - first + 1);
        BundleWalk walk(things, size, width, {first, end});
        ASSERT_EQ(walk.before().first, first);
        std::uint64_t next = walk.before().end;
        for (auto some = walk.next(50); !some.empty(); some = walk.next(50)) {
          for (const SubsetBundle& bundle : some) {
            ASSERT_EQ(bundle.numbers.first, next);
            next = bundle.numbers.end;
            ASSERT_LE(bundle.q1, bundle.q0 / width * width + width);
            std::vector<std::size_t> subset{0, 1, bundle.q0};
            subset.insert(subset.end(), bundle.further.begin(), bundle.further.end());
            ASSERT_EQ(subset_number(subset), bundle.numbers.first);
            subset = {bundle.q1 - 3, bundle.q1 - 2, bundle.q1 - 1};
            subset.insert(subset.end(), bundle.further.begin(), bundle.further.end());
            ASSERT_EQ(subset_number(subset) + 1, bundle.numbers.end);
          }
          ASSERT_EQ(walk.position(), next);
        }
        ASSERT_LE(next, end);
        ASSERT_EQ(walk.position(), next);
        if (trial == 0) {
          ASSERT_EQ(next, all);
        }
      }
    }
  }
}

}  // namespace
}  // namespace fsieve
