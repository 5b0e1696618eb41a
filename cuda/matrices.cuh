// The kernels for matrices of doubles that cuBLAS has not: products of columns, shares of what is
// left of a label, and entries that are large.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "device/algebra_abi.h"

namespace fsieve_cuda {

// Each block of threads does `block_rows` rows of one function; blocks that follow each other read
// the same rows of the columns.
constexpr int threads = 256;
constexpr int block_rows = 4 * threads;

__global__ void evaluate_products(const std::uint32_t* factors, int most, const double* columns,
                                  std::size_t stride, int rows, double* values,
                                  std::size_t value_stride) {
  const std::uint32_t* own = factors + static_cast<std::size_t>(blockIdx.x) * most;
  double* out = values + static_cast<std::size_t>(blockIdx.x) * value_stride;
  const int first = static_cast<int>(blockIdx.y) * block_rows + static_cast<int>(threadIdx.x);
  const int end = min(rows, (static_cast<int>(blockIdx.y) + 1) * block_rows);
  for (int i = first; i < end; i += threads) {
    double value = 1;
    for (int k = 0; k < most; ++k) {
      const std::uint32_t column = own[k];
      if (column != UINT32_MAX) value *= columns[column * stride + i];
    }
    out[i] = value;
  }
}

__global__ void form_shares(fsieve_above entries, std::uint64_t labels, const double* inner,
                            std::size_t inner_stride, const double* norms, std::size_t norm_stride,
                            double* to, std::size_t to_stride) {
  const auto i = static_cast<std::uint64_t>(blockIdx.y) * blockDim.x + threadIdx.x;
  const auto j = static_cast<std::uint64_t>(blockIdx.x);
  if (i >= entries.m ||
      static_cast<std::int64_t>(i) >= static_cast<std::int64_t>(j) + entries.first)
    return;
  double sum = 0;
  for (std::uint64_t y = 0; y < labels; ++y) {
    const double value = inner[i + (j + y * entries.n) * inner_stride];
    sum += value * value;
  }
  to[i + j * to_stride] = sum / fmax(norms[i + j * norm_stride], 1e-300);
}

struct Sifted {
  const double* numbers;  // null: none
  std::size_t stride;

  __device__ double at(std::uint64_t i, std::uint64_t j) const {
    return numbers != nullptr ? numbers[i + j * stride] : 0;
  }
};

__global__ void find_entries(fsieve_above entries, Sifted a, Sifted b, const double* row_terms,
                             const double* column_terms, double least, unsigned long long room,
                             unsigned long long* count, fsieve_entry* found) {
  const auto i = static_cast<std::uint64_t>(blockIdx.y) * blockDim.x + threadIdx.x;
  const auto j = static_cast<std::uint64_t>(blockIdx.x);
  if (i >= entries.m ||
      static_cast<std::int64_t>(i) >= static_cast<std::int64_t>(j) + entries.first)
    return;
  const double value = a.at(i, j) + b.at(i, j) + row_terms[i] + column_terms[j];
  if (!(value >= least)) return;
  const unsigned long long at = atomicAdd(count, 1ULL);
  if (at < room) found[at] = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), value};
}

}  // namespace fsieve_cuda
