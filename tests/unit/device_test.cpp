// Searches with a device beside them, here the stand-in (tests/device): pieces, several devices,
// lists that overflow, devices that fail, and bounds that lose nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <mutex>
#include <numeric>
#include <set>

#include "bits/subset_counts.h"
#include "bits/subset_tiles.h"
#include "device/least_sum.h"
#include "device/open_screens.h"
#include "device/pieces.h"
#include "device/sift.h"
#include "fsieve/error.h"
#include "unit/standin.h"
#include "unit/tables.h"

namespace fsieve {
namespace {

using ::testing::HasSubstr;
using Environment = testing::StandIn;
using Subset = std::vector<std::size_t>;

// Random bits of two classes.
struct Data {
  ClassOrder order;
  BitStore bits;
  std::size_t features;

  Data(std::size_t rows, std::size_t d, std::uint64_t seed)
      : order(codes(rows, seed), 2), bits(d, order.words), features(d) {
    testing::Random random(seed);
    for (std::size_t j = 0; j < d; ++j) {
      for (std::size_t i = 0; i < rows; ++i) {
        if (random.below(j % 3 + 2) == 0) order.set(bits.column(j), i);
      }
    }
  }
  static std::vector<std::size_t> codes(std::size_t rows, std::uint64_t seed) {
    testing::Random random(seed + 1000);
    std::vector<std::size_t> all(rows);
    for (std::size_t& code : all) code = random.below(5) < 2 ? 1 : 0;
    return all;
  }
  [[nodiscard]] ScreenTable table(std::size_t k) const { return {order, bits, features, k}; }

  // The sum over cells of max(|lead|, 1).
  [[nodiscard]] double sum(std::span<const std::size_t> subset) const {
    const SubsetCounts counts(order, bits, subset);
    std::vector<std::int64_t> cells;
    make_cells(counts.view(), 0, cells);
    const std::size_t half = cells.size() / 2;
    double total = 0;
    for (std::size_t s = 0; s < half; ++s) {
      total += std::max(std::abs(static_cast<double>(cells[half + s] - cells[s])), 1.0);
    }
    return total;
  }
};

// Sifts for the subsets of the largest sums, and keeps account of what was done how.
struct Search {
  Search(const Data& from, std::size_t size, std::size_t top) : data(from), k(size), limit(top) {}

  const Data& data;
  std::size_t k;
  std::size_t limit;
  std::mutex mutex;
  std::set<std::pair<double, Subset>> best;  // by the negative of the sum
  std::multiset<std::size_t> offered;
  NumberRanges walked, screened;
  std::size_t scored = 0;

  void offer(std::span<const std::size_t> subset) {
    const std::lock_guard lock(mutex);
    offered.insert(subset_number(subset));
    best.emplace(-data.sum(subset), Subset(subset.begin(), subset.end()));
    if (best.size() > limit) best.erase(std::prev(best.end()));
  }

  void run(const Device& device, NumberRange range, const SiftSizes& sizes) {
    const ScreenTable table = data.table(k);
    const auto screens = open_screens(device, table);
    ASSERT_FALSE(screens.empty());
    const Sifter host{[&] {
                        if (best.size() < limit) return -std::numeric_limits<float>::infinity();
                        return least_sum_of_leads(-best.rbegin()->first, k, table.rows());
                      },
                      [&](std::span<const std::size_t> subset) {
                        offer(subset);
                        const std::lock_guard lock(mutex);
                        ++scored;
                      },
                      [&](NumberRange part) {
                        for (std::size_t i = part.first; i < part.end; ++i)
                          offer(subset_of_number(i, k));
                        walked.add(part);
                      },
                      [&](NumberRange part) { screened.add(part); },
                      [&] {
                        std::vector<Subset> subsets;
                        for (const auto& [sum, subset] : best) subsets.push_back(subset);
                        return subsets;
                      }};
    sift(screens, table, range, host, sizes);
    // All were done, none twice.
    EXPECT_EQ(walked.size() + screened.size(), range.size());
    NumberRanges both = walked;
    for (const NumberRange& part : screened.list()) both.add(part);
    EXPECT_EQ(both.size(), range.size());
    EXPECT_EQ(std::set<std::size_t>(offered.begin(), offered.end()).size(), offered.size());
  }

  [[nodiscard]] std::set<std::pair<double, Subset>> right(NumberRange range) const {
    std::set<std::pair<double, Subset>> all;
    for (std::size_t i = range.first; i < range.end; ++i) {
      const Subset subset = subset_of_number(i, k);
      all.emplace(-data.sum(subset), subset);
      if (all.size() > limit) all.erase(std::prev(all.end()));
    }
    return all;
  }
};

const Device cuda{Device::Kind::cuda, std::nullopt};

TEST(Sift, FindsTheBestOfEveryRangeWithOneDeviceOrThree) {
  testing::Random random(8);
  // How much is scored must not depend on the time that a piece takes.
  constexpr double never = std::numeric_limits<double>::infinity();
  for (const char* devices : {"1", "3"}) {
    const Environment environment{{"FSIEVE_STANDIN_DEVICES", devices}};
    for (const std::size_t k : {2, 3, 4, 5, 6}) {
      const Data data(150, k < 4 ? 30 : 14, k);
      const std::size_t total = choose_exactly(data.features, k);
      const std::size_t first = random.below(total / 4);
      const NumberRange range{first, total - random.below(total / 4)};
      Search search(data, k, 7);
      search.run(cuda, range, {20, 60, 10, never});
      EXPECT_EQ(search.best, search.right(range));
      EXPECT_GT(search.screened.size(), range.size() / 2);
      EXPECT_LT(search.scored, range.size() / 2);
    }
  }
}

TEST(Sift, TakesRangesApartWhereADeviceFindsTooMuch) {
  const Environment environment{{"FSIEVE_STANDIN_ROOM", "4"}};
  const Data data(60, 22, 5);
  Search search(data, 3, 30);
  const NumberRange range{0, choose_exactly(22, 3)};
  search.run(cuda, range, {40, 700, 25});
  EXPECT_EQ(search.best, search.right(range));
  EXPECT_GT(search.walked.size(), 40U);  // more than the beginning
  EXPECT_GT(search.screened.size(), 0U);
}

TEST(Sift, AsksTheHostWhereAllAreAsGood) {
  const Environment environment{{"FSIEVE_STANDIN_ROOM", "10"}};
  Data data(50, 16, 5);
  for (std::size_t j = 1; j < 16; ++j) {
    std::copy_n(data.bits.column(0), data.order.words, data.bits.column(j));
  }
  Search search(data, 3, 5);
  const NumberRange range{0, choose_exactly(16, 3)};
  search.run(cuda, range, {40, 200, 50});
  EXPECT_EQ(search.best, search.right(range));
}

TEST(Sift, ADeviceThatMissesWhatTheHostFoundIsNotTrusted) {
  const Environment environment{{"FSIEVE_STANDIN_DEVICES", "2"}, {"FSIEVE_STANDIN_BLIND", "1"}};
  const Data data(100, 20, 3);
  Search search(data, 3, 5);
  try {
    search.run(cuda, {0, choose_exactly(20, 3)}, {50, 100, 10});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("does not count right"));
  }
}

TEST(Screens, AreOpenedAsAsked) {
  const Environment environment{{"FSIEVE_STANDIN_DEVICES", "3"}};
  const Data data(100, 20, 3);
  const ScreenTable table = data.table(3);
  EXPECT_EQ(open_screens(cuda, table).size(), 3U);
  EXPECT_EQ(open_screens({Device::Kind::cuda, 2}, table).size(), 1U);
  EXPECT_TRUE(open_screens({Device::Kind::cpu, std::nullopt}, table).empty());
  EXPECT_TRUE(open_screens({}, table).empty());  // too little work
  try {
    check_device({Device::Kind::cuda, 3});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("--device cuda:3: there are 3 GPUs, counted from 0"));
  }
}

TEST(Screens, SayWhyTheyFail) {
  const Environment environment{{"FSIEVE_STANDIN_FAILS", "open"}};
  const Data data(100, 20, 3);
  try {
    static_cast<void>(open_screens(cuda, data.table(3)));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("GPU 0: the stand-in was told to fail; --device cpu does without it"));
  }
}

TEST(Pieces, BeginWhereDevicesLikeItAndCoverTheRange) {
  testing::Random random(4);
  for (int round = 0; round < 200; ++round) {
    const std::size_t k = 2 + random.below(5);
    const std::size_t d = k + random.below(24);
    const std::size_t total = choose_exactly(d, k);
    const std::size_t first = random.below(total);
    const NumberRange range{first, first + 1 + random.below(total - first)};
    Pieces pieces(range, d, k, 1 + random.below(300));
    NumberRanges all;
    std::size_t sum = 0;
    while (const auto piece = pieces.next()) {
      ASSERT_LT(piece->first, piece->end);
      if (piece->size() > 1 && random.below(4) == 0) {
        pieces.halve(*piece);
        continue;
      }
      all.add(*piece);
      sum += piece->size();
    }
    EXPECT_EQ(sum, range.size());
    EXPECT_EQ(all.list(), std::vector<NumberRange>{range});
    const std::size_t group = next_group(first, d, k);
    ASSERT_GE(group, first);
    if (group < total && k >= 3) {
      const Subset subset = subset_of_number(group, k);
      EXPECT_EQ(subset[0], 0U);
      EXPECT_EQ(subset[1], 1U);
      EXPECT_TRUE(subset[2] % 16 == 0 || subset[2] == 2);
    }
  }
}

TEST(LeastSum, NeverAboveWhatItStandsFor) {
  testing::Random random(6);
  for (int round = 0; round < 1000; ++round) {
    const double sum = std::pow(10.0, 12 * random.uniform()) * (random.uniform() - 0.2);
    const double rows = std::pow(10.0, 9 * random.uniform());
    EXPECT_LT(double{least_sum_of_leads(sum, 3, rows)}, sum);
    EXPECT_LE(double{least_sum_of_products(sum)}, sum);
    EXPECT_GE(double{least_sum_of_products(std::abs(sum))}, std::abs(sum) * (1 - 3e-5) - 1e-30);
  }
  EXPECT_LT(least_sum_of_products(1e300), std::numeric_limits<float>::infinity());
}

TEST(SubsetCounts, AreThoseOfTheRows) {
  const Data data(130, 9, 2);
  for (const Subset& subset :
       {Subset{4}, Subset{0, 8}, Subset{1, 2, 5}, Subset{0, 1, 3, 5, 6, 8}}) {
    const SubsetCounts counts(data.order, data.bits, subset);
    const PrefixCounts view = counts.view();
    for (std::size_t c = 0; c < 2; ++c) {
      for (std::size_t mask = 0; mask < std::size_t{1} << view.bits; ++mask) {
        std::uint32_t with = 0;
        std::uint32_t without = 0;
        for (std::size_t i = 0; i < data.order.place.size(); ++i) {
          const std::size_t place = data.order.place[i];
          const auto [first, words] = data.order.segments[c];
          if (place / 64 < first || place / 64 >= first + words) continue;
          const auto is_set = [&](std::size_t j) {
            return (data.bits.column(j)[place / 64] >> (place % 64) & 1U) != 0;
          };
          bool all = true;
          for (std::size_t j = 1; j < subset.size(); ++j) {
            if ((mask >> (j - 1) & 1U) != 0 && !is_set(subset[j])) all = false;
          }
          without += all ? 1 : 0;
          with += all && is_set(subset[0]) ? 1 : 0;
        }
        EXPECT_EQ(view.with[(c << view.bits) + mask][0], with);
        EXPECT_EQ(view.without[(c << view.bits) + mask], without);
      }
    }
  }
}

}  // namespace
}  // namespace fsieve
