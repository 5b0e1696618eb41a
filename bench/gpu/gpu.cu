// bench/gpu/run: checks every count of the CUDA library against the CPU on awkward tables, then
// prints how many subsets x rows per second it screens, beside the rate of the tensor cores
// measured in the same run.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <set>
#include <string>

#include "memory.h"
#include "peaks.cuh"
#include "twin.h"

namespace {

using Clock = std::chrono::steady_clock;
double seconds(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

[[noreturn]] void fail(const std::string& what) {
  std::printf("FAILED: %s\n", what.c_str());
  std::exit(1);
}

class Screen {
 public:
  Screen(const twin::Table& table, int k, int sum, std::uint64_t room)
      : k_(k), found(room * k), sums(room) {
    const fsieve_screen_table view = table.view(k, sum);
    screen_ = fsieve_screen_open(0, &view, room, message_, sizeof(message_));
    if (screen_ == nullptr) fail(message_);
  }
  ~Screen() { fsieve_screen_close(screen_); }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  std::uint64_t run(std::uint64_t first, std::uint64_t end, float least) {
    if (fsieve_screen_begin(screen_, first, end, least, message_, sizeof(message_)) < 0)
      fail(message_);
    const std::int64_t count =
        fsieve_screen_end(screen_, found.data(), sums.data(), message_, sizeof(message_));
    if (count < 0) fail(message_);
    return static_cast<std::uint64_t>(count);
  }

 private:
  int k_;
  void* screen_ = nullptr;
  char message_[512] = {};

 public:
  std::vector<std::uint32_t> found;
  std::vector<float> sums;
};

// Every subset's sum, then lists by thresholds and ranges.
std::uint64_t check(std::uint64_t d, std::uint64_t n, int k, int kind, double share,
                    std::uint64_t seed) {
  const twin::Table table(d, n, share, 0.3, seed);
  const std::uint64_t total = twin::choose(d, k);
  const std::string name = std::to_string(d) + " features, " + std::to_string(n) +
                           " rows, k = " + std::to_string(k) +
                           (kind == 0 ? ", leads" : ", products");
  const std::vector<double> right = twin::all_sums(table, k, kind, 0, total);
  Screen screen(table, k, kind, total + 1000);
  if (screen.run(0, total, -std::numeric_limits<float>::infinity()) != total)
    fail(name + ": not all subsets");
  std::vector<bool> seen(total);
  for (std::uint64_t i = 0; i < total; ++i) {
    const std::uint64_t number = twin::number_of(screen.found.data() + i * k, k);
    if (number >= total || seen[number]) fail(name + ": a subset twice, or none");
    seen[number] = true;
    const double allowed = kind == 0 ? 0 : 1e-5 * right[number];
    if (!(std::abs(screen.sums[i] - right[number]) <= allowed)) {
      fail(name + ": subset " + std::to_string(number) + " has " + std::to_string(screen.sums[i]) +
           " and not " + std::to_string(right[number]));
    }
  }
  std::mt19937_64 random(seed);
  for (int turn = 0; turn < 6; ++turn) {
    const std::uint64_t first = random() % total;
    const std::uint64_t end = first + 1 + random() % (total - first);
    const auto least = static_cast<float>(right[random() % total]);
    const std::uint64_t count = screen.run(first, end, least);
    std::set<std::uint64_t> found;
    for (std::uint64_t i = 0; i < count; ++i)
      found.insert(twin::number_of(screen.found.data() + i * k, k));
    for (std::uint64_t number = first; number < end; ++number) {
      const bool wanted = right[number] >= least * (kind == 0 ? 1 : 1 + 1e-5);
      if (wanted && found.count(number) == 0) fail(name + ": a subset of a range is missing");
    }
  }
  return total;
}

void check_all() {
  const Clock::time_point start = Clock::now();
  std::uint64_t checked = 0;
  std::uint64_t seed = 1;
  const std::uint64_t rows[] = {2, 5, 63, 64, 65, 127, 1000, 1023, 1024, 1025, 2047, 2049, 5000};
  for (const int kind : {0, 1}) {
    for (const std::uint64_t n : rows) {
      for (const std::uint64_t d : {3, 7, 9, 64, 65, 130}) {
        for (const int k : {2, 3}) {
          ++seed;
          checked += check(d, n, k, kind, 0.2 + 0.1 * static_cast<double>(seed % 7), seed);
        }
      }
      for (const std::uint64_t d : {6, 17, 40}) checked += check(d, n, 4, kind, 0.5, ++seed);
      checked += check(19, n, 5, kind, 0.3, ++seed);
      checked += check(14, n, 6, kind, 0.7, ++seed);
    }
    // One row of a class, counts beyond 16 bits, and beyond what floats hold exactly.
    checked += check(70, 3000, 3, kind, 0, ++seed);
    checked += check(70, 3000, 3, kind, 1, ++seed);
    checked += check(67, 300000, 3, kind, 0.5, ++seed);
    checked += check(20, 300000, 4, kind, 0.6, ++seed);
    checked += check(10, 20000000, 3, kind, 0.5, ++seed);
    checked += check(8, 20000000, 4, kind, 0.5, ++seed);
    checked += check(130, 2000, 4, kind, 0.5, ++seed);
  }
  // Tables that do not fit are made in parts.
  setenv("FSIEVE_CUDA_MEMORY", "400000", 1);
  checked += check(300, 700, 3, 0, 0.5, ++seed);
  checked += check(500, 300, 2, 0, 0.5, ++seed);
  checked += check(500, 300, 2, 1, 0.5, ++seed);
  setenv("FSIEVE_CUDA_MEMORY", "8000000", 1);
  checked += check(100, 700, 3, 1, 0.5, ++seed);
  checked += check(60, 700, 4, 0, 0.5, ++seed);
  unsetenv("FSIEVE_CUDA_MEMORY");
  std::printf("checked: the sums of %llu subsets, all right (%.0f s)\n",
              static_cast<unsigned long long>(checked), seconds(start));
}

// Enough for a tool that watches every access.
void check_few() {
  std::uint64_t seed = 100;
  for (const int kind : {0, 1}) {
    for (const int k : {2, 3, 4, 5, 6}) {
      check(k < 4 ? 70 : 12, 1500, k, kind, 0.4, ++seed);
    }
  }
  setenv("FSIEVE_CUDA_MEMORY", "400000", 1);
  check(200, 300, 3, 0, 0.5, ++seed);
  unsetenv("FSIEVE_CUDA_MEMORY");
  std::printf("few checks: all right\n");
}

template <class Kernel>
double peak(Kernel kernel, double bits) {
  int processors = 0;
  fsieve_cuda::check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  fsieve_cuda::Buffer<int> out;
  out.reserve(1);
  double best = 0;
  for (int turn = 0; turn < 4; ++turn) {
    const Clock::time_point start = Clock::now();
    kernel<<<processors * 4, peaks::threads>>>(out.get());
    fsieve_cuda::check(cudaDeviceSynchronize());
    if (turn > 0) best = std::max(best, bits * processors * 4 / seconds(start));
  }
  return best;
}

double least_for(double score, double n) { return score * (n - 1) - 1e-3; }

// A whole search as the program does it: the first subsets on the CPU, the rest in pieces, what is
// found scored exactly; the best twenty.
void time_search(std::uint64_t d, std::uint64_t n, int k, double limit) {
  const twin::Table table(d, n, 0.5, 0.3, 3);
  const std::uint64_t total = twin::choose(d, k);
  const Clock::time_point opening = Clock::now();
  Screen screen(table, k, fsieve_sum_of_leads, std::uint64_t{1} << 20U);
  const double opened = seconds(opening);
  std::vector<std::pair<double, std::uint64_t>> best;
  const auto keep = [&](std::vector<std::pair<double, std::uint64_t>> more) {
    best.insert(best.end(), more.begin(), more.end());
    std::sort(best.begin(), best.end(), [](auto& a, auto& b) { return a.first > b.first; });
    best.resize(std::min<std::size_t>(best.size(), 20));
  };
  const auto scores = [&](std::uint64_t count, const auto& number_at) {
    std::vector<std::pair<double, std::uint64_t>> list(count);
    const auto score = [&](std::uint64_t i) {
      const std::uint64_t number = number_at(i);
      list[i] = {table.score(twin::Subset(number, k)), number};
    };
    if (count > 200) {
      twin::on_all_cores(count, score);
    } else {
      for (std::uint64_t i = 0; i < count; ++i) score(i);
    }
    return list;
  };
  const std::uint64_t first = std::min<std::uint64_t>(total / 2, 50000);
  const Clock::time_point start = Clock::now();
  keep(scores(first, [](std::uint64_t i) { return i; }));
  std::uint64_t survivors = 0;
  const auto search = [&](std::uint64_t from, std::uint64_t piece) {
    for (std::uint64_t at = from; at < total;) {
      const std::uint64_t end = std::min(at + piece, total);
      const Clock::time_point start = Clock::now();
      const std::uint64_t count = screen.run(
          at, end, static_cast<float>(least_for(best.back().first, static_cast<double>(n))));
      if (count > screen.sums.size()) {
        piece /= 2;
        continue;
      }
      const double took = seconds(start);
      survivors += count;
      std::vector<std::uint64_t> numbers;
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t number = twin::number_of(screen.found.data() + i * k, k);
        if (number >= at && number < end) numbers.push_back(number);
      }
      keep(scores(numbers.size(), [&](std::uint64_t i) { return numbers[i]; }));
      at = end;
      piece = static_cast<std::uint64_t>(static_cast<double>(piece) *
                                         std::clamp(0.2 / took, 0.25, 16.0));
    }
  };
  // Once as it comes, with tables to make and a list to find; then all subsets with that list, for
  // the rate: what reaches it is scored again.
  search(first, 16 * first);
  const double whole = seconds(start);
  const std::uint64_t whole_survivors = survivors;
  double again = whole;
  double alone = whole;
  for (int turn = 0; turn < 5; ++turn) {
    const auto known = best;
    const Clock::time_point restart = Clock::now();
    search(0, total);
    again = std::min(again, seconds(restart));
    best = known;
    const Clock::time_point third = Clock::now();
    screen.run(0, total, static_cast<float>(least_for(best.back().first, static_cast<double>(n))));
    alone = std::min(alone, seconds(third));
  }
  const double work = static_cast<double>(total) * static_cast<double>(n);
  const twin::Subset top(best.front().second, k);
  std::printf(
      "%5llu x %6llu, k = %d | %9.2e | %9.2e | %9.2e | %3.0f %% | %8.4f s (open %.2f s) | %8llu | "
      "best %u",
      static_cast<unsigned long long>(d), static_cast<unsigned long long>(n), k, work / alone,
      work / again, work / whole, 100 * work / alone / limit, whole, opened,
      static_cast<unsigned long long>(whole_survivors), top.features[0]);
  for (int j = 1; j < k; ++j) std::printf(",%u", top.features[j]);
  std::printf(" %.4f\n", best.front().first);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--check") == 0;
  const bool unchecked = argc > 1 && std::strcmp(argv[1], "--unchecked") == 0;
  cudaDeviceProp properties{};
  fsieve_cuda::check(cudaGetDeviceProperties(&properties, 0));
  std::printf("%s, %d multiprocessors\n", properties.name, properties.multiProcessorCount);
  std::fflush(stdout);
  if (argc > 1 && std::strcmp(argv[1], "--few") == 0) {
    check_few();
    return 0;
  }
  if (!unchecked) check_all();
  if (quick) return 0;
  const double warp = peak(peaks::warp_products, peaks::warp_bits);
  const double group = peak(peaks::group_products, peaks::group_bits);
  std::printf("b1 rate of the tensor cores: %.2e by warps, %.2e by warp groups\n", warp, group);
  std::printf(
      "features x rows      | screened  | and scored | whole    | of b1 | whole search | survivors "
      "| best\n");
  std::fflush(stdout);
  const double limit = std::max(warp, group < 1e17 ? group : 0);
  time_search(1024, 65536, 3, limit);
  time_search(1024, 16384, 3, limit);
  time_search(4096, 16384, 3, limit);
  time_search(1024, 2000, 3, limit);
  time_search(256, 16384, 4, limit);
  time_search(1024, 2000, 4, limit);
  return 0;
}
