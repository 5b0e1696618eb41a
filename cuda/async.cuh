// The instructions of Hopper GPUs that have no name in CUDA C++: barriers in shared memory, copies
// that complete on them, and products of bits on tensor cores.
#pragma once

#include <cstdint>

namespace fsieve_cuda {

// Are the products of a warp group there (sm_90a), which read one operand from shared memory?
#if defined(__CUDA_ARCH_FEAT_SM90_ALL) && !defined(FSIEVE_CUDA_WARP_PRODUCTS)
#define FSIEVE_CUDA_GROUP_PRODUCTS 1
#endif

__device__ inline std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ inline void init_barrier(std::uint32_t barrier, int arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals));
}

__device__ inline void arrive(std::uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(barrier) : "memory");
}

__device__ inline void arrive_expecting(std::uint32_t barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}

__device__ inline void wait_for(std::uint32_t barrier, int phase) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
      "@!done bra again;\n"
      "}\n" ::"r"(barrier),
      "r"(phase)
      : "memory");
}

// Begins to copy bytes (a multiple of 16) and tells the barrier when they are there.
__device__ inline void copy_to_shared(std::uint32_t to, const void* from, int bytes,
                                      std::uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(to),
      "l"(from), "r"(bytes), "r"(barrier)
      : "memory");
}

// Four matrices of 8 x 16 bytes; the lanes give their rows.
__device__ inline void load_matrices(std::uint32_t (&to)[4], std::uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address)
               : "memory");
}

__device__ inline void load_four(std::uint32_t (&to)[4], std::uint32_t address) {
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address)
               : "memory");
}

// sums += common bits of 16 rows and 8 columns, 256 bits each.
__device__ inline void add_common_bits(int (&sums)[4], const std::uint32_t (&rows)[4],
                                       std::uint32_t column0, std::uint32_t column1) {
  asm volatile(
      "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5, %6, "
      "%7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
      : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(column0), "r"(column1));
}

#ifdef FSIEVE_CUDA_GROUP_PRODUCTS

__device__ inline void products_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void products_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int kLeft>
__device__ inline void products_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kLeft) : "memory");
}

__device__ inline void give_registers_away() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
}
__device__ inline void take_registers() { asm volatile("setmaxnreg.inc.sync.aligned.u32 232;"); }

// A tile in shared memory, 128 bytes per feature, swizzled; groups of 8 features are 1024 bytes.
__device__ inline std::uint64_t describe_tile(std::uint32_t address) {
  return static_cast<std::uint64_t>((address & 0x3ffffU) >> 4U) | std::uint64_t{1} << 16U |
         std::uint64_t{1024 >> 4} << 32U | std::uint64_t{1} << 62U;
}

// sums += common bits of 64 rows (in registers, 16 per warp) and the 64 columns of a tile.
__device__ inline void add_common_bits(int (&s)[8][4], const std::uint32_t (&rows)[4],
                                       std::uint64_t columns) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k256.s32.b1.b1.and.popc "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
      "{%32, %33, %34, %35}, %36, 1;"
      : "+r"(s[0][0]), "+r"(s[0][1]), "+r"(s[0][2]), "+r"(s[0][3]), "+r"(s[1][0]), "+r"(s[1][1]),
        "+r"(s[1][2]), "+r"(s[1][3]), "+r"(s[2][0]), "+r"(s[2][1]), "+r"(s[2][2]), "+r"(s[2][3]),
        "+r"(s[3][0]), "+r"(s[3][1]), "+r"(s[3][2]), "+r"(s[3][3]), "+r"(s[4][0]), "+r"(s[4][1]),
        "+r"(s[4][2]), "+r"(s[4][3]), "+r"(s[5][0]), "+r"(s[5][1]), "+r"(s[5][2]), "+r"(s[5][3]),
        "+r"(s[6][0]), "+r"(s[6][1]), "+r"(s[6][2]), "+r"(s[6][3]), "+r"(s[7][0]), "+r"(s[7][1]),
        "+r"(s[7][2]), "+r"(s[7][3])
      : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "l"(columns));
}

// The same for the first 32 columns.
__device__ inline void add_half_of_common_bits(int (&s)[8][4], const std::uint32_t (&rows)[4],
                                               std::uint64_t columns) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n32k256.s32.b1.b1.and.popc "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
      "{%16, %17, %18, %19}, %20, 1;"
      : "+r"(s[0][0]), "+r"(s[0][1]), "+r"(s[0][2]), "+r"(s[0][3]), "+r"(s[1][0]), "+r"(s[1][1]),
        "+r"(s[1][2]), "+r"(s[1][3]), "+r"(s[2][0]), "+r"(s[2][1]), "+r"(s[2][2]), "+r"(s[2][3]),
        "+r"(s[3][0]), "+r"(s[3][1]), "+r"(s[3][2]), "+r"(s[3][3])
      : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "l"(columns));
}

#else

__device__ inline void give_registers_away() {}
__device__ inline void take_registers() {}

#endif

}  // namespace fsieve_cuda
