// Times by wall clock and by processor, and answers that must be right.
#pragma once

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "measure.h"

namespace fsieve::bench {

inline void require(bool true_statement, const char* what) {
  if (true_statement) return;
  fmt::print("WRONG ANSWER: {}\n", what);
  std::exit(1);
}

struct Times {
  double wall = 1e300;
  double processor = 1e300;  // of all threads together
};

// The shortest of several runs.
template <class Work>
Times times_of(int runs, const Work& work) {
  Times best;
  for (int run = 0; run < runs; ++run) {
    const std::clock_t start = std::clock();
    best.wall = std::min(best.wall, seconds(work));
    const double used = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    best.processor = std::min(best.processor, used);
  }
  return best;
}

// What one core does per second while all are busy; `work` says how much it has done.
template <class Work>
double rate_per_core(const Work& work) {
  const auto cores = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  std::vector<double> done(cores);
  const Times times = times_of(9, [&] {
    tbb::parallel_for(
        std::size_t{0}, cores, [&](std::size_t k) { done[k] = work(); }, tbb::simple_partitioner());
  });
  return static_cast<double>(cores) * done[0] / times.processor;
}

}  // namespace fsieve::bench
