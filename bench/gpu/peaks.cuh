// What the tensor cores do at most: products of bits from registers, with nothing else to do.
#pragma once

#include "async.cuh"

namespace peaks {

constexpr int rounds = 2000;
constexpr int threads = 256;
constexpr int chains = 4;  // products that do not wait for each other

// Of one warp: 16 x 8 x 256 each.
__global__ void __launch_bounds__(threads) warp_products(int* out) {
  std::uint32_t rows[4];
  for (int i = 0; i < 4; ++i) rows[i] = threadIdx.x * 0x9e3779b9U + i;
  int sums[2 * chains][4] = {};
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (auto& sum : sums) fsieve_cuda::add_common_bits(sum, rows, rows[1] + round, rows[2]);
  }
  int total = 0;
  for (auto& sum : sums) total += sum[0] + sum[1] + sum[2] + sum[3];
  if (total == 0x12345) out[0] = total;
}
constexpr double warp_bits = 16.0 * 8 * 256 * 2 * chains * rounds * (threads / 32);

// Of a warp group, one operand in shared memory: 64 x 64 x 256 each.
__global__ void __launch_bounds__(threads) group_products(int* out) {
#ifdef FSIEVE_CUDA_GROUP_PRODUCTS
  __shared__ alignas(1024) std::uint32_t tile[64 * 32];
  for (int i = static_cast<int>(threadIdx.x); i < 64 * 32; i += threads) tile[i] = i * 0x9e3779b9U;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const std::uint64_t columns = fsieve_cuda::describe_tile(fsieve_cuda::shared_address(tile));
  std::uint32_t rows[4];
  for (int i = 0; i < 4; ++i) rows[i] = threadIdx.x * 0x9e3779b9U + i;
  int sums[chains][8][4] = {};
  for (int round = 0; round < rounds; ++round) {
    fsieve_cuda::products_begin();
#pragma unroll
    for (auto& sum : sums) fsieve_cuda::add_common_bits(sum, rows, columns + round % 4 * 2);
    fsieve_cuda::products_commit();
  }
  fsieve_cuda::products_wait<0>();
  int total = 0;
  for (auto& sum : sums) {
    for (auto& four : sum) total += four[0] + four[1] + four[2] + four[3];
  }
  if (total == 0x12345) out[0] = total;
#else
  out[0] = 0;
#endif
}
constexpr double group_bits = 64.0 * 64 * 256 * chains * rounds * (threads / 128);

}  // namespace peaks
