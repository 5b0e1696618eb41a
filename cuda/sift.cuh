// Any subset, any sum: all counts come from tables, and a thread bounds one subset after another.
#pragma once

#include "bits.cuh"
#include "hits.cuh"

namespace fsieve_cuda {

// Subsets {c < b < a < f0 < f1 < f2} with the f fixed. For every subset S of the f, by mask: the
// counts of S with {a, b, c}, with pairs and with single features. `kClasses`: 1: leads; 2: rows
// per class.
template <int kSize, int kClasses>
struct SiftTask {
  static constexpr int fixed = kSize > 3 ? kSize - 3 : 0;
  static constexpr int sets = 1 << fixed;
  const int* triples[sets][kClasses];  // [a - plane_a][b][c]
  const int* pairs[sets][kClasses];    // [b][c]
  const int* singles[sets];            // of both classes, one after the other
  const int* all[sets];                // of both classes
  int f[3];
  const float* set;
  const float* clear;
  int width;   // of tables of pairs
  int stride;  // of the classes of single features
  int plane_a;
  int first_b;
  int first_c, end_c;
  int first, last;  // of a
  float least;
  Hits hits;
};

// From "all of S are set" to "exactly S is set".
template <int kSize>
__device__ inline void to_cells(int (&table)[1 << kSize]) {
#pragma unroll
  for (int step = 1; step < 1 << kSize; step *= 2) {
#pragma unroll
    for (int s = 0; s < 1 << kSize; ++s) {
      if ((s & step) == 0) table[s] -= table[s + step];
    }
  }
}

template <int kSize, int kClasses>
__device__ inline float sum_of_cells(const SiftTask<kSize, kClasses>& task,
                                     int (&table)[kClasses][1 << kSize], const float (&set)[kSize],
                                     const float (&clear)[kSize]) {
  float sum = 0;
  if constexpr (kClasses == 1) {
    int leads = 0;
#pragma unroll
    for (int s = 0; s < 1 << kSize; ++s) leads += max(abs(table[0][s]), 1);
    sum = static_cast<float>(leads);
  } else {
#pragma unroll
    for (int s = 0; s < 1 << kSize; ++s) {
      float weight = 1;
#pragma unroll
      for (int i = 0; i < kSize; ++i) weight *= (s >> i & 1) != 0 ? set[i] : clear[i];
      const int lead = abs(table[1][s] - table[0][s]);
      const int rows = table[1][s] + table[0][s];
      const float strength = static_cast<float>(lead > 1 ? lead : 1);
      if (rows > 0) sum += weight * (strength * static_cast<float>(rows - 1) + 1);
    }
  }
  return sum;
}

template <int kSize, int kClasses>
__global__ void __launch_bounds__(128)
    sift(const __grid_constant__ SiftTask<kSize, kClasses> task) {
  constexpr bool has_a = kSize > 2;
  const int c = task.first_c + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int b = static_cast<int>(blockIdx.y) + task.first_b;
  if (c >= b || c >= task.end_c) return;
  const std::ptrdiff_t bc = static_cast<std::ptrdiff_t>(b) * task.width + c;
  float set[kSize], clear[kSize];
  if constexpr (kClasses == 2) {
    set[0] = task.set[c];
    clear[0] = task.clear[c];
    set[1] = task.set[b];
    clear[1] = task.clear[b];
    for (int i = 0; i < task.fixed; ++i) {
      set[3 + i] = task.set[task.f[i]];
      clear[3 + i] = task.clear[task.f[i]];
    }
  }
  // Of one class, or what the second has more than the first.
  const auto by_class = [](const int* counts, int k, std::size_t stride) {
    return kClasses == 2 ? counts[k * stride] : counts[stride] - counts[0];
  };
  const std::ptrdiff_t width = task.width;
  const int begin = has_a ? max(task.first, b + 1) + static_cast<int>(blockIdx.z) : b;
  const int end = has_a ? task.last : b;
  for (int a = begin; a <= end; a += static_cast<int>(gridDim.z)) {
    int table[kClasses][1 << kSize];
    if constexpr (kClasses == 2 && has_a) {
      set[2] = task.set[a];
      clear[2] = task.clear[a];
    }
#pragma unroll
    for (int k = 0; k < kClasses; ++k) {
#pragma unroll
      for (int s = 0; s < task.sets; ++s) {
        int* const of = table[k] + s * (has_a ? 8 : 4);
        of[0] = by_class(task.all[s], k, 1);
        of[1] = by_class(task.singles[s] + c, k, task.stride);
        of[2] = by_class(task.singles[s] + b, k, task.stride);
        of[3] = task.pairs[s][k][bc];
        if constexpr (has_a) {
          of[4] = by_class(task.singles[s] + a, k, task.stride);
          of[5] = task.pairs[s][k][a * width + c];
          of[6] = task.pairs[s][k][a * width + b];
          of[7] = task.triples[s][k][(a - task.plane_a) * width * width + bc];
        }
      }
      to_cells<kSize>(table[k]);
    }
    const float sum = sum_of_cells(task, table, set, clear);
    if (sum < task.least) continue;
    if constexpr (kSize == 2) task.hits.add(sum, c, b);
    if constexpr (kSize == 3) task.hits.add(sum, c, b, a);
    if constexpr (kSize == 4) task.hits.add(sum, c, b, a, task.f[0]);
    if constexpr (kSize == 5) task.hits.add(sum, c, b, a, task.f[0], task.f[1]);
    if constexpr (kSize == 6) task.hits.add(sum, c, b, a, task.f[0], task.f[1], task.f[2]);
  }
}

}  // namespace fsieve_cuda
