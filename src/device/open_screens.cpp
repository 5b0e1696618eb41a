#include "device/open_screens.h"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include "bits/subset_tiles.h"
#include "fsieve/error.h"

namespace fsieve::inline device {
namespace {

using Screens = std::vector<std::unique_ptr<Screen>>;

// Would the cores here need much longer than a GPU, which takes a moment to wake up? A core does
// some 6e11 subsets x rows per second, a GPU at least 1e14; of five and six features it does those
// with the same largest two or three at a time, which takes a tenth of a millisecond however few
// they are (docs/gpu.md).
bool worth_it(const ScreenTable& table) {
  const double work = choose(table.features, table.k) * table.rows();
  const double cores = tbb::this_task_arena::max_concurrency();
  const double turns = table.k > 4 ? choose(table.features, table.k - 3) : 0;
  const double on_gpu = 1 + work / 1e14 + 1e-4 * turns;
  return work / (6e11 * cores) > 2 * on_gpu;
}

// How many GPUs there are, among them the one that is asked for.
int count_of(const Device& device) {
  const int count = device_library()->devices();
  if (device.number && *device.number >= count) {
    throw Error(fmt::format("--device cuda:{}: there {} {}, counted from 0", *device.number,
                            count == 1 ? "is" : "are",
                            count == 1 ? "one GPU" : fmt::format("{} GPUs", count)));
  }
  return count;
}

Screens open_all(const Device& device, const ScreenTable& table) {
  const int count = count_of(device);
  Screens screens;
  const int first = device.number.value_or(0);
  const int last = device.number.value_or(count - 1);
  for (int number = first; number <= last; ++number) {
    screens.push_back(std::make_unique<Screen>(device_library(), number, table));
  }
  return screens;
}

}  // namespace

void check_device(const Device& device) {
  if (device.kind == Device::Kind::cuda) static_cast<void>(count_of(device));
}

Screens open_screens(const Device& device, const ScreenTable& table) {
  if (device.kind == Device::Kind::cpu) return {};
  if (device.kind == Device::Kind::cuda) return open_all(device, table);
  if (!worth_it(table)) return {};
  try {
    return open_all(device, table);
  } catch (const Error&) {
    return {};  // no GPU, or one that cannot take this table
  }
}

}  // namespace fsieve::device
