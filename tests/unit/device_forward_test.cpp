// The forward search with its products on a device, here the stand-in (tests/device), which adds up
// in another order than the CPU: the same features in the same order, the same numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "device/algebra.h"
#include "fsieve/sffs.h"
#include "methods/forward/device_scan.h"
#include "methods/forward/pair_promises.h"
#include "unit/notes.h"
#include "unit/standin.h"
#include "unit/supervised_tables.h"
#include "unit/tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::Notes;
using testing::Random;
using testing::StandIn;

const Device on_cpu{Device::Kind::cpu, std::nullopt};
const Device on_device{Device::Kind::cuda, std::nullopt};

// Three classes by a sum, a product and a curve of some columns; others are copies and noise.
MemorySource planted(std::size_t rows, std::size_t noise, bool weights, std::uint64_t seed) {
  Random random(seed);
  Columns columns;
  for (std::size_t j = 0; j < 8; ++j) columns.push_back(random.normals(rows));
  std::vector<double> y(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const double sum = columns[0][i] + columns[1][i] * columns[2][i] +
                       1.5 * columns[3][i] * columns[4][i] + 0.7 * columns[5][i] * columns[5][i];
    y[i] = sum < 0 ? 0 : (sum < 1 ? 1 : 2);
  }
  columns.push_back(columns[0]);
  for (std::size_t j = 0; j < noise; ++j) columns.push_back(random.normals(rows));
  columns.push_back(y);
  const MemorySource all = testing::table(columns);
  Schema schema = all.schema();
  schema.label = schema.features.back();
  schema.label->name = "y";
  schema.features.pop_back();
  std::vector<double> weight;
  for (std::size_t i = 0; weights && i < rows; ++i) {
    weight.push_back(static_cast<double>(1 + random.below(3)) / 2);
  }
  return {
      std::move(schema), {all.in_memory().begin(), all.in_memory().end()}, rows, std::move(weight)};
}

void expect_same(const SffsResult& a, const SffsResult& b) {
  ASSERT_EQ(a.selected.size(), b.selected.size());
  for (std::size_t i = 0; i < a.selected.size(); ++i) {
    EXPECT_EQ(a.selected[i].feature, b.selected[i].feature);
    EXPECT_NEAR(a.selected[i].score, b.selected[i].score, 1e-9);
  }
  ASSERT_EQ(a.subsets.size(), b.subsets.size());
  for (std::size_t i = 0; i < a.subsets.size(); ++i) {
    EXPECT_EQ(a.subsets[i].features, b.subsets[i].features);
    EXPECT_NEAR(a.subsets[i].score, b.subsets[i].score, 1e-9);
  }
}

TEST(DeviceForward, TheSameFeaturesInTheSameOrder) {
  Notes notes;
  const StandIn standin{{"FSIEVE_STANDIN_NOTES", notes.path()}};
  NoProgress progress;
  for (const int depth : {2, 3}) {
    for (const bool weights : {false, true}) {
      for (const Search search : {Search::forward, Search::beam}) {
        const MemorySource source = planted(260, 6, weights, 7 + static_cast<unsigned>(depth));
        SffsOptions options;
        options.folds = 0;
        options.k = 8;
        options.depth = depth;
        options.search = search;
        options.beam = 3;
        options.device = on_cpu;
        const SffsResult alone = sffs(source, options, progress);
        options.device = on_device;
        const std::size_t products = notes.count("gemm");
        const std::size_t scans = notes.count("find");
        expect_same(sffs(source, options, progress), alone);
        EXPECT_GT(notes.count("gemm"), products);
        EXPECT_GT(notes.count("find"), scans);
      }
    }
  }
}

// A device without room leaves everything to the cores.
TEST(DeviceForward, WithoutRoomTheCoresDoIt) {
  NoProgress progress;
  const MemorySource source = planted(200, 4, false, 3);
  SffsOptions options;
  options.folds = 0;
  options.k = 6;
  options.device = on_cpu;
  const SffsResult alone = sffs(source, options, progress);
  Notes notes;
  const StandIn standin{{"FSIEVE_STANDIN_NOTES", notes.path()}, {"FSIEVE_STANDIN_NUMBERS", "2000"}};
  options.device = on_device;
  expect_same(sffs(source, options, progress), alone);
  EXPECT_EQ(notes.count("gemm"), 0U);
}

TEST(DeviceForward, AutoLeavesSmallWorkToTheCores) {
  Notes notes;
  const StandIn standin{{"FSIEVE_STANDIN_NOTES", notes.path()}};
  NoProgress progress;
  SffsOptions options;
  options.folds = 0;
  options.k = 6;
  static_cast<void>(sffs(planted(200, 4, false, 3), options, progress));
  EXPECT_EQ(notes.count("algebra"), 0U);
}

// All pairs come back where nothing is known, however many there are: more than a list holds, more
// matrices than there is room for. Promises are those of the CPU.
TEST(DeviceForward, ScansFindEveryPair) {
  for (const char* room : {"100000000", "700000"}) {
    const StandIn standin{{"FSIEVE_STANDIN_NUMBERS", room}};
    const std::size_t n = 24;
    const MemorySource source = planted(n, 391, false, 5);
    NoProgress progress;
    const SupervisedData data = make_supervised_data(source, Task::classification, progress);
    const std::vector<double> residual = data.label.scaled_columns();
    const std::size_t count = data.design.columns.size();
    ASSERT_EQ(count, 400U);
    std::vector<std::size_t> scanned(count);
    std::vector<float> narrow;
    for (std::size_t c = 0; c < count; ++c) {
      scanned[c] = c;
      narrow.insert(narrow.end(), data.column(c), data.column(c) + n);
    }
    const DeviceColumns columns(open_accelerator(on_device, 0), data);
    DeviceScan scan(columns, residual, scanned);
    std::map<std::pair<std::size_t, std::size_t>, double> found;
    DeviceScan::Wanted wanted;
    wanted.terms.assign(count, 0.5);
    wanted.least = [] { return -1.0; };
    wanted.take = [&](std::size_t u, std::size_t v, double promise) { found[{u, v}] = promise; };
    scan.scan(count, data.unit, wanted);
    EXPECT_EQ(found.size(), count * (count - 1) / 2);
    pair_promises(n, narrow.data(), all_pairs(count), data.unit, residual,
                  [&](const PromiseTile& tile) {
                    for (std::size_t v = tile.v0; v < tile.v1; ++v) {
                      for (std::size_t u = tile.u0; u < std::min(tile.u1, v); ++u) {
                        const double expected =
                            1 + tile.promise[(u - tile.u0) + (v - tile.v0) * (tile.u1 - tile.u0)];
                        ASSERT_NEAR((found[{u, v}]), expected, 1e-4 * expected);
                      }
                    }
                  });
  }
}

}  // namespace
}  // namespace fsieve
