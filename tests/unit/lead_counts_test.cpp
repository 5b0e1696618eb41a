// Leads of all subsets of two-valued features against loops over the rows.
#include "bits/lead_counts.h"

#include <gtest/gtest.h>

#include <mutex>
#include <set>

#include "bits/promising.h"
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

TEST(LeadCounts, NameTheSubsetsThatCountsName) {
  testing::Random random(3);
  for (int bits = 1; bits <= 5; ++bits) {
    const std::size_t masks = std::size_t{1} << bits;
    constexpr std::size_t count = 37;
    std::vector<std::vector<std::uint32_t>> counted(2 * masks);
    std::vector<std::vector<std::int32_t>> led(masks);
    std::vector<const std::uint32_t*> with;
    std::vector<const std::int32_t*> leads;
    std::vector<std::uint32_t> without;
    std::vector<std::int32_t> lead_without;
    for (auto& column : counted) {
      for (std::size_t c = 0; c < count + vector_slack; ++c) {
        column.push_back(static_cast<std::uint32_t>(random.below(40)));
      }
      with.push_back(column.data());
      without.push_back(static_cast<std::uint32_t>(random.below(60)));
    }
    for (std::size_t s = 0; s < masks; ++s) {
      for (std::size_t c = 0; c < count + vector_slack; ++c) {
        led[s].push_back(static_cast<std::int32_t>(counted[masks + s][c]) -
                         static_cast<std::int32_t>(counted[s][c]));
      }
      leads.push_back(led[s].data());
      lead_without.push_back(static_cast<std::int32_t>(without[masks + s]) -
                             static_cast<std::int32_t>(without[s]));
    }
    std::size_t named = 0;
    for (std::int32_t least = -1; least < 4000; least += 7) {
      std::vector<std::uint32_t> by_counts(count);
      std::vector<std::uint32_t> by_leads(count);
      by_counts.resize(find_promising(PrefixCounts{bits, 2, with.data(), without.data(), count},
                                      least, by_counts.data()));
      by_leads.resize(find_promising(PrefixLeads{bits, leads.data(), lead_without.data(), count},
                                     least, by_leads.data()));
      ASSERT_EQ(by_leads, by_counts);
      named += by_leads.size();
    }
    EXPECT_GT(named, count);
  }
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
