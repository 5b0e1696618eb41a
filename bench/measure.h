// What all benchmarks share: clocks, the machine's own rates, and memory used.
#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <random>
#include <vector>

#include "linalg/tiles.h"

namespace fsieve::bench {

template <class Work>
double seconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The shortest of several runs: other programs only ever make a run longer.
template <class Work>
double best_of(int runs, const Work& work) {
  double best = seconds(work);
  for (int run = 1; run < runs; ++run) best = std::min(best, seconds(work));
  return best;
}

inline std::vector<double> random_normals(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values(count);
  for (double& value : values) value = normal(bits);
  return values;
}

// Multiply-adds per second of one m x n x k product on all threads.
inline double gemm_rate(std::size_t m, std::size_t n, std::size_t k) {
  const std::vector<double> a = random_normals(m * k, 1);
  const std::vector<double> b = random_normals(k * n, 2);
  std::vector<double> c(m * n);
  const double time = best_of(3, [&] {
    blas::tiled_gemm(blas::Op::none, blas::Op::none, m, n, k, 1.0, a.data(), m, b.data(), k, 0.0,
                     c.data(), m);
  });
  return static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) / time;
}

// The most memory this process has held, in MiB.
inline double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace fsieve::bench
