// The kernel that counts: for every outer column a, row feature b and column feature c the rows
// where all three are set, as products of bit matrices on tensor cores.
//
// A turn (items.cuh) multiplies 64 rows, sixteen b joined to one a of each of four warps, with a
// tile of 64 c, for four a of each warp: a tile in shared memory serves four products. Two groups
// of four warps take turns: while one multiplies, the other looks at what it has counted. For each
// group a thread of another warp fetches ahead. What becomes of the counts, which stay in
// registers, is up to the `Ending`.
#pragma once

#include "async.cuh"
#include "bits.cuh"
#include "items.cuh"

namespace fsieve_cuda {

constexpr int groups = 2;
constexpr int consumers = groups * 128;
// One warp per group fetches; where registers are dealt out to warp groups, these have one to
// themselves, which leaves most of its registers to the others.
#ifdef FSIEVE_CUDA_GROUP_PRODUCTS
constexpr int product_threads = consumers + 128;
#else
constexpr int product_threads = consumers + groups * 32;
#endif
constexpr int slice_bytes = tile_bytes / slices;
constexpr int bunch_bytes = warps_of_group * outer_bytes;
// Of each group: as many stages as fit, which are longer where each warp has rows of its own.
constexpr int most_stages = 4;
constexpr int ring_bytes = most_stages * (slice_bytes + tile_bytes + bunch_bytes);
constexpr int desk_offset = groups * (ring_bytes + most_stages * 2 * 8 + 8);
constexpr int product_shared_bytes = desk_offset + outer_width * 8 * consumers * 16 + 1024;

// counts[outer][8 columns][element]: element e of lane l belongs to row l / 4 + e / 2 * 8 of the
// warp's sixteen and to column l % 4 * 2 + e % 2 of the eight.
using Counts = int[outer_width][8][4];

struct ProductTask {
  const std::uint8_t* rows;
  const std::uint8_t* columns;
  const std::uint32_t* outer;  // bunches of outer columns from first_bunch on
  int first_bunch;
  std::size_t part_stride;  // words from the outer columns of one part to those of the next
  int tiles;
  int chunks;                  // of the table
  int first_chunk, end_chunk;  // that are counted
  ItemRange items;
};

// Where a thread's counts belong.
struct ThreadPlace {
  int warp;  // of its group; to an ending: the slice of its tile
  int lane;

  __device__ ThreadPlace() : ThreadPlace(static_cast<int>(threadIdx.x) / 32 % warps_of_group) {}
  __device__ explicit ThreadPlace(int own) : warp(own), lane(static_cast<int>(threadIdx.x) % 32) {}
  // The first of its two rows (the other is 8 further) and the first of its two columns in a tile.
  __device__ int row() const { return warp * 16 + lane / 4; }
  __device__ int column(int eight) const { return eight * 8 + lane % 4 * 2; }
};

namespace detail {

// The stages of one group in shared memory, filled and used in order.
struct Ring {
  std::uint32_t first, barriers;
  int rows_bytes, stages;
  int at = 0;
  int phase = 0;

  __device__ Ring(std::uint32_t base, int group, bool pairs)
      : first(base + group * ring_bytes),
        barriers(base + groups * ring_bytes + group * most_stages * 16),
        rows_bytes(pairs ? tile_bytes : slice_bytes),
        stages(ring_bytes / stage_bytes()) {}

  __device__ int stage_bytes() const { return rows_bytes + tile_bytes + bunch_bytes; }
  __device__ std::uint32_t rows() const { return first + at * stage_bytes(); }
  __device__ std::uint32_t columns() const { return rows() + rows_bytes; }
  __device__ std::uint32_t outer() const { return columns() + tile_bytes; }
  __device__ std::uint32_t full_barrier() const { return barriers + at * 16; }
  __device__ std::uint32_t empty_barrier() const { return barriers + at * 16 + 8; }
  __device__ void step() {
    if (++at == stages) {
      at = 0;
      phase ^= 1;
    }
  }
};

// Who may multiply. With few rows the groups take turns: while one multiplies, the other looks at
// what it has counted. With more, one group alone would leave tensor cores idle: only the first
// turns are in order, so that the groups are apart.
class Token {
 public:
  __device__ static std::uint32_t barrier(std::uint32_t base, int group) {
    return base + groups * (ring_bytes + most_stages * 16) + group * 8;
  }

  __device__ Token(std::uint32_t base, int group, int chunks)
      : own_(barrier(base, group)),
        others_(barrier(base, 1 - group)),
        passed_(group == 0 ? -1 : 0),
        always_(chunks <= few_chunks) {}

  __device__ void take() {
    if (passed_ >= 0 && (always_ || passed_ == 0)) wait_for(own_, passed_ % 2);
    ++passed_;
  }
  __device__ void pass_on(const ThreadPlace& place) const {
    if (place.lane == 0 && (always_ || passed_ <= 1)) arrive(others_);
  }

 private:
  static constexpr int few_chunks = 4;

  std::uint32_t own_, others_;
  int passed_;  // how often it came from the other group
  bool always_;
};

__device__ inline TurnWalk turns_of(const ProductTask& task, int group) {
  return {task.items, static_cast<int>(blockIdx.x) * groups + group,
          static_cast<int>(gridDim.x) * groups};
}

__device__ inline void fetch(const ProductTask& task, int group, Ring ring) {
  for (TurnWalk walk = turns_of(task, group); !walk.done(); walk.step()) {
    const Turn turn = walk.turn();
    const std::uint32_t* outer =
        task.outer + turn.part * task.part_stride +
        static_cast<std::size_t>(turn.bunch - task.first_bunch) * task.chunks * (bunch_bytes / 4);
    const std::uint8_t* rows =
        task.rows + turn.slice / slices * tile_bytes + turn.slice % slices * slice_bytes;
    const int columns_bytes = turn.half ? tile_bytes / 2 : tile_bytes;
    for (int chunk = task.first_chunk; chunk < task.end_chunk; ++chunk) {
      wait_for(ring.empty_barrier(), ring.phase ^ 1);
      const std::uint32_t barrier = ring.full_barrier();
      arrive_expecting(barrier, ring.rows_bytes + columns_bytes + bunch_bytes);
      const std::size_t tiles = static_cast<std::size_t>(chunk) * task.tiles;
      copy_to_shared(ring.rows(), rows + tiles * tile_bytes, ring.rows_bytes, barrier);
      copy_to_shared(ring.columns(), task.columns + (tiles + turn.c) * tile_bytes, columns_bytes,
                     barrier);
      copy_to_shared(ring.outer(), outer + static_cast<std::size_t>(chunk) * (bunch_bytes / 4),
                     bunch_bytes, barrier);
      ring.step();
    }
  }
}

// The rows of this warp, 256 bits each, and the words of the outer columns that they are joined to.
struct Rows {
  int slice, block;  // which of those in shared memory
  std::uint32_t rows[4], low[4], high[4];

  __device__ Rows(const ProductTask& task, const ThreadPlace& place)
      : slice(task.items.pairs ? place.warp : 0), block(task.items.pairs ? 0 : place.warp) {}

  __device__ void load(const Ring& ring, const ThreadPlace& place, int step) {
    const int row = slice * slice_width + place.lane % 16;
    const int piece = step * 2 + place.lane / 16;
    load_matrices(rows, ring.rows() + row * chunk_bytes + ((piece ^ (row % 8)) * 16));
    const std::uint32_t outer =
        ring.outer() + block * outer_bytes + (step * 8 + place.lane % 4) * 16;
    load_four(low, outer);
    load_four(high, outer + 64);
  }
  __device__ void join(std::uint32_t (&joined)[outer_width][4]) const {
#pragma unroll
    for (int a = 0; a < outer_width; ++a) {
      joined[a][0] = rows[0] & low[a];
      joined[a][1] = rows[1] & low[a];
      joined[a][2] = rows[2] & high[a];
      joined[a][3] = rows[3] & high[a];
      // Now, not when they are used: products must find them there.
#pragma unroll
      for (int i = 0; i < 4; ++i) asm volatile("" : "+r"(joined[a][i]));
    }
  }
};

#ifdef FSIEVE_CUDA_GROUP_PRODUCTS

// One turn; the ring is left after its stages. While the products of a step run, the rows of the
// next are loaded and joined.
template <bool kHalf>
__device__ inline void count(Counts& counts, Ring& ring, const ThreadPlace& place, Rows& rows,
                             int chunks) {
  std::uint32_t joined[2][outer_width][4];
  std::uint32_t before = 0;
  wait_for(ring.full_barrier(), ring.phase);
  rows.load(ring, place, 0);
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const std::uint64_t columns = describe_tile(ring.columns());
    Ring next = ring;
    next.step();
#pragma unroll
    for (int step = 0; step < 4; ++step) {
      rows.join(joined[step % 2]);
      if (step < 3) {
        rows.load(ring, place, step + 1);
      } else if (chunk + 1 < chunks) {
        wait_for(next.full_barrier(), next.phase);
        rows.load(next, place, 0);
      }
      products_begin();
#pragma unroll
      for (int a = 0; a < outer_width; ++a) {
        if constexpr (kHalf) {
          add_half_of_common_bits(counts[a], joined[step % 2][a], columns + step * 2);
        } else {
          add_common_bits(counts[a], joined[step % 2][a], columns + step * 2);
        }
      }
      products_commit();
      products_wait<1>();
      if (step == 0 && chunk > 0 && place.lane == 0) arrive(before);
    }
    before = ring.empty_barrier();
    ring = next;
  }
  products_wait<0>();
  if (place.lane == 0) arrive(before);
}

#else

template <bool kHalf>
__device__ inline void count(Counts& counts, Ring& ring, const ThreadPlace& place, Rows& rows,
                             int chunks) {
  for (int chunk = 0; chunk < chunks; ++chunk) {
    wait_for(ring.full_barrier(), ring.phase);
#pragma unroll
    for (int step = 0; step < 4; ++step) {
      rows.load(ring, place, step);
      std::uint32_t joined[outer_width][4];
      rows.join(joined);
#pragma unroll
      for (int half = 0; half < (kHalf ? 1 : 2); ++half) {
        std::uint32_t columns[2][4];
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          const int row = (half * 2 + i) * 16 + place.lane % 8 + place.lane / 16 * 8;
          const int piece = step * 2 + place.lane / 8 % 2;
          load_matrices(columns[i],
                        ring.columns() + row * chunk_bytes + ((piece ^ (row % 8)) * 16));
        }
#pragma unroll
        for (int a = 0; a < outer_width; ++a) {
#pragma unroll
          for (int j = 0; j < 4; ++j) {
            add_common_bits(counts[a][half * 4 + j], joined[a], columns[j / 2][j % 2 * 2],
                            columns[j / 2][j % 2 * 2 + 1]);
          }
        }
      }
    }
    __syncwarp();
    if (place.lane == 0) arrive(ring.empty_barrier());
    ring.step();
  }
}

#endif

}  // namespace detail

template <class Ending>
__global__ void __launch_bounds__(product_threads, 1)
    product(const __grid_constant__ ProductTask task, const __grid_constant__ Ending ending) {
  extern __shared__ std::uint8_t raw[];
  const std::uint32_t base = (shared_address(raw) + 1023U) & ~1023U;
  if (threadIdx.x == 0) {
    for (int group = 0; group < groups; ++group) {
      detail::Ring ring(base, group, task.items.pairs);
      for (; ring.phase == 0; ring.step()) {
        init_barrier(ring.full_barrier(), 1);
        init_barrier(ring.empty_barrier(), 4);
      }
    }
    for (int group = 0; group < groups; ++group)
      init_barrier(detail::Token::barrier(base, group), 4);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x >= consumers) {
    give_registers_away();
    const int group = static_cast<int>(threadIdx.x - consumers) / 32;
    if (group < groups && threadIdx.x % 32 == 0)
      detail::fetch(task, group, detail::Ring(base, group, task.items.pairs));
    return;
  }
  take_registers();
  const ThreadPlace place;
  const int group = static_cast<int>(threadIdx.x) / 128;
  detail::Ring ring(base, group, task.items.pairs);
  int4* const desk =
      reinterpret_cast<int4*>(raw + (base - shared_address(raw)) + desk_offset) + threadIdx.x;
  detail::Token token(base, group, task.end_chunk - task.first_chunk);
  detail::Rows rows(task, place);
  for (TurnWalk walk = detail::turns_of(task, group); !walk.done(); walk.step()) {
    const Turn turn_of = walk.turn();
    Counts counts;
#pragma unroll
    for (int a = 0; a < outer_width; ++a) {
#pragma unroll
      for (int j = 0; j < 8; ++j) {
#pragma unroll
        for (int e = 0; e < 4; ++e) counts[a][j][e] = Ending::start;
      }
    }
    token.take();
    if (turn_of.half) {
      detail::count<true>(counts, ring, place, rows, task.end_chunk - task.first_chunk);
    } else {
      detail::count<false>(counts, ring, place, rows, task.end_chunk - task.first_chunk);
    }
    token.pass_on(place);
    const Item item = task.items.item(turn_of, place.warp);
    if (!item.real) continue;
    const ThreadPlace own(item.slice);
    // Registers are needed for what the counts are compared with.
#pragma unroll
    for (int a = 0; a < outer_width; ++a) {
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        desk[(a * 8 + j) * consumers] =
            make_int4(counts[a][j][0], counts[a][j][1], counts[a][j][2], counts[a][j][3]);
      }
    }
    const int first = item.outer * outer_width;
    const auto common = ending.prepare(item, own);
#pragma unroll 1
    for (int a = 0; a < outer_width; ++a) {
      const auto operands = ending.load(first + a, item, own);
      ending(common, operands, desk + a * 8 * consumers, first + a, item, own);
    }
  }
}

}  // namespace fsieve_cuda
