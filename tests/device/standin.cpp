// A device of plain C++ that screens subsets, one by one (see settings.h).
#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <vector>

#include "device/screen_abi.h"
#include "settings.h"

namespace {

using standin::fails;
using standin::note;
using standin::setting;

uint64_t choose(uint64_t n, uint64_t k) {
  uint64_t result = k > n ? 0 : 1;
  for (uint64_t i = 0; i < k && result > 0; ++i) result = result * (n - i) / (i + 1);
  return result;
}

struct StandIn {
  int device;
  fsieve_screen_table table;
  std::vector<uint64_t> bits;
  std::vector<float> set, clear;
  uint64_t room;
  uint64_t first, end;
  float least;

  [[nodiscard]] const uint64_t* column(uint32_t j) const { return bits.data() + j * table.words; }

  // Rows per cell and class; bit i of a cell: subset[i] is set.
  void count(const std::vector<uint32_t>& subset, std::vector<int64_t> (&cells)[2]) const {
    for (int c = 0; c < 2; ++c) {
      cells[c].assign(size_t{1} << subset.size(), 0);
      for (uint64_t row = 0; row < table.rows[c]; ++row) {
        const uint64_t place = table.first[c] * 64 + row;
        size_t cell = 0;
        for (size_t i = 0; i < subset.size(); ++i) {
          cell |= (column(subset[i])[place / 64] >> (place % 64) & 1U) << i;
        }
        ++cells[c][cell];
      }
    }
  }

  [[nodiscard]] float sum(const std::vector<uint32_t>& subset) const {
    std::vector<int64_t> cells[2];
    count(subset, cells);
    float total = 0;
    for (size_t cell = 0; cell < cells[0].size(); ++cell) {
      const int64_t lead = std::abs(cells[1][cell] - cells[0][cell]);
      const int64_t rows = cells[1][cell] + cells[0][cell];
      if (table.sum == fsieve_sum_of_leads) {
        total += static_cast<float>(std::max<int64_t>(lead, 1));
      } else if (rows > 0) {
        float weight = 1;
        for (size_t i = 0; i < subset.size(); ++i) {
          weight *= (cell >> i & 1U) != 0 ? set[subset[i]] : clear[subset[i]];
        }
        total +=
            weight *
            (static_cast<float>(std::max<int64_t>(lead, 1)) * static_cast<float>(rows - 1) + 1);
      }
    }
    return total;
  }
};

// The subset of a number, and the next one.
std::vector<uint32_t> subset_of(uint64_t number, uint32_t k) {
  std::vector<uint32_t> subset(k);
  for (uint32_t j = k; j-- > 0;) {
    uint32_t value = j;
    while (choose(value + 1, j + 1) <= number) ++value;
    subset[j] = value;
    number -= choose(value, j + 1);
  }
  return subset;
}

void advance(std::vector<uint32_t>& subset) {
  for (size_t j = 0; j < subset.size(); ++j) {
    if (j + 1 == subset.size() || subset[j] + 1 < subset[j + 1]) {
      ++subset[j];
      return;
    }
    subset[j] = static_cast<uint32_t>(j);
  }
}

}  // namespace

int fsieve_screen_version() { return FSIEVE_SCREEN_VERSION; }

int fsieve_screen_devices(char* message, size_t size) {
  const long count = setting("FSIEVE_STANDIN_DEVICES", 1);
  if (count <= 0) std::snprintf(message, size, "the stand-in has no devices");
  return static_cast<int>(count);
}

void* fsieve_screen_open(int device, const fsieve_screen_table* table, uint64_t room, char* message,
                         size_t size) {
  if (fails("open", message, size)) return nullptr;
  std::this_thread::sleep_for(std::chrono::milliseconds(setting("FSIEVE_STANDIN_MILLISECONDS", 0)));
  note("open %d %u %llu\n", device, table->k, static_cast<unsigned long long>(table->features));
  auto* made = new StandIn{device, *table, {}, {}, {}, 0, 0, 0, 0};
  made->bits.assign(table->bits, table->bits + table->features * table->words);
  if (table->sum == fsieve_sum_of_products) {
    made->set.assign(table->set, table->set + table->features);
    made->clear.assign(table->clear, table->clear + table->features);
  }
  made->room = std::min(room, static_cast<uint64_t>(setting("FSIEVE_STANDIN_ROOM", 1L << 40)));
  return made;
}

void fsieve_screen_close(void* screen) { delete static_cast<StandIn*>(screen); }

int fsieve_screen_begin(void* screen, uint64_t first, uint64_t end, float least, char* message,
                        size_t size) {
  auto* me = static_cast<StandIn*>(screen);
  if (fails("begin", message, size)) return -1;
  note("screen %d %llu %llu\n", me->device, static_cast<unsigned long long>(first),
       static_cast<unsigned long long>(end));
  me->first = first;
  me->end = end;
  me->least = least;
  return 0;
}

int64_t fsieve_screen_end(void* screen, uint32_t* found, float* sums, char*, size_t) {
  auto* me = static_cast<StandIn*>(screen);
  if (me->device >= setting("FSIEVE_STANDIN_BLIND", 1L << 20)) return 0;
  const uint32_t k = me->table.k;
  // As a device that counts whole rows of subsets does: some neighbours too.
  constexpr uint64_t neighbours = 7;
  const uint64_t from = me->first - std::min(me->first, neighbours);
  const uint64_t to = std::min(me->end + neighbours, choose(me->table.features, k));
  std::vector<uint32_t> subset = subset_of(from, k);
  int64_t count = 0;
  for (uint64_t number = from; number < to; ++number, advance(subset)) {
    const float sum = me->sum(subset);
    if (sum < me->least) continue;
    if (static_cast<uint64_t>(count) < me->room) {
      std::copy(subset.begin(), subset.end(), found + count * k);
      if (sums != nullptr) sums[count] = sum;
    }
    ++count;
  }
  return static_cast<uint64_t>(count) > me->room ? INT64_MAX : count;
}
