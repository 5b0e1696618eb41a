// What becomes of the counts of a product: they are stored, or the subsets are bounded right there.
//
// Leads of up to 2^22 rows are whole numbers that floats hold exactly. A count that starts at the
// bits of the float 2^23 is, as long as it stays below 2^22, the bits of 2^23 + count: no
// conversion.
#pragma once

#include "hits.cuh"
#include "product.cuh"

namespace fsieve_cuda {

constexpr int magic_bits = 0x4b000000;
constexpr float magic = 8388608.0F;  // 2^23

// Tables of floats stand in blocks of 64 x 64, each as the threads of a product have its counts: a
// warp reads its part of eight columns in one go, four numbers per lane.
struct Blocks {
  const float* first;
  int wide;  // blocks of 64 in a row

  // The four numbers of a thread in the eight columns `j` of a block.
  __device__ float4 at(int b, int c, const ThreadPlace& place, int j) const {
    return *reinterpret_cast<const float4*>(block(b, c) +
                                            ((place.warp * 8 + j) * 32 + place.lane) * 4);
  }
  // The numbers of features `row` and `column` (even), and of the next column.
  __device__ float2 two(int row, int column) const {
    return *reinterpret_cast<const float2*>(place_of(row, column));
  }
  __device__ float one(int row, int column) const { return *place_of(row, column); }

 private:
  __device__ const float* block(int b, int c) const {
    return first + (static_cast<std::ptrdiff_t>(b) * wide + c) * (tile * tile);
  }
  __device__ const float* place_of(int row, int column) const {
    return block(row / tile, column / tile) + (row % tile / 16 * 8 + column % tile / 8) * 128 +
           (row % 8 * 4 + column % 8 / 2) * 4 + row % 16 / 8 * 2 + column % 2;
  }
};

// Writes counts to planes [outer - first] of [b][c], of whole numbers row by row or of floats in
// blocks. Where columns turn the first class round, a count is a lead plus the rows of the first
// class without c, which `without` has: for a pair a row of them, for a triple a plane of a and b.
struct Store {
  static constexpr int start = 0;
  void* out;
  std::size_t plane;
  int width;          // features of a row of a plane
  int first, planes;  // first: a multiple of four
  bool floats;
  const void* without;  // null: nothing to take away
  bool of_pairs;

  __device__ void operator()(const Counts& counts, const Item& item,
                             const ThreadPlace& place) const {
#pragma unroll
    for (int i = 0; i < outer_width; ++i) {
      const int a = item.outer * outer_width + i;
      if (a - first >= planes) continue;
      int less[2];
#pragma unroll
      for (int h = 0; h < 2; ++h) less[h] = taken_away(a, item.b * tile + place.row() + h * 8);
      const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>((a - first) * plane);
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        const int* four = counts[i][j];
        if (floats) {
          const std::ptrdiff_t block =
              (static_cast<std::ptrdiff_t>(item.b) * (width / tile) + item.c) * (tile * tile);
          const std::ptrdiff_t to = begin + block + ((place.warp * 8 + j) * 32 + place.lane) * 4;
          *reinterpret_cast<float4*>(static_cast<float*>(out) + to) = make_float4(
              static_cast<float>(four[0] - less[0]), static_cast<float>(four[1] - less[0]),
              static_cast<float>(four[2] - less[1]), static_cast<float>(four[3] - less[1]));
          continue;
        }
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          const int b = item.b * tile + place.row() + h * 8;
          const std::ptrdiff_t to =
              begin + static_cast<std::ptrdiff_t>(b) * width + item.c * tile + place.column(j);
          *reinterpret_cast<int2*>(static_cast<int*>(out) + to) =
              make_int2(four[h * 2] - less[h], four[h * 2 + 1] - less[h]);
        }
      }
    }
  }

 private:
  __device__ int taken_away(int a, int b) const {
    if (without == nullptr) return 0;
    if (floats) {
      const auto* from = static_cast<const float*>(without);
      return __float2int_rn(of_pairs ? from[b] : Blocks{from, width / tile}.one(a, b));
    }
    const auto* from = static_cast<const int*>(without);
    return of_pairs ? from[b] : from[static_cast<std::ptrdiff_t>(a) * width + b];
  }
};

// What all c share in the sum of |lead| over the eight cells of {a, b, c}.
struct PairLeads {
  float ab, a_only, b_only, neither;

  __device__ PairLeads(float all, float a, float b, float both)
      : ab(both), a_only(a - both), b_only(b - both), neither(all - a - b + both) {}

  // t: of all three; ac, bc: of two; c_not_a: of c less that of a and c.
  __device__ float sum(float t, float ac, float bc, float c_not_a) const {
    const float u = ac - t;
    const float w = bc - t;
    const float v = c_not_a - w;
    const float with_c = fabsf(t) + fabsf(u) + fabsf(w) + fabsf(v);
    return with_c + fabsf(ab - t) + fabsf(a_only - u) + fabsf(b_only - w) + fabsf(neither - v);
  }
  // The same of max(|lead|, 1), which few subsets are worth.
  __device__ float full_sum(float t, float ac, float bc, float c_not_a) const {
    const float u = ac - t;
    const float w = bc - t;
    const float v = c_not_a - w;
    const float cells[8] = {t, u, w, v, ab - t, a_only - u, b_only - w, neither - v};
    float total = 0;
    for (const float cell : cells) total += fmaxf(fabsf(cell), 1);
    return total;
  }
};

__device__ inline float part(const float2& two, int e) { return e % 2 == 0 ? two.x : two.y; }
__device__ inline float part(const float4& four, int e) {
  return e < 2 ? (e == 0 ? four.x : four.y) : (e == 2 ? four.z : four.w);
}
__device__ inline float largest(const float (&sums)[4]) {
  return fmaxf(fmaxf(sums[0], sums[1]), fmaxf(sums[2], sums[3]));
}

// Keeps the compiler from loading much earlier than it has registers for.
__device__ inline void load_no_earlier() { asm volatile("" ::: "memory"); }

// Finds the triples {c < b < a} whose sum of max(|lead|, 1) is `least` or more.
struct ScreenTriples {
  static constexpr int start = magic_bits;
  static constexpr float cells = 8;
  // Leads of pairs (the tables may have parts of them only), and rows of the first class.
  Blocks bc, ab, ac, ab_first;
  const float* singles;  // leads
  float all;             // lead
  int first, last;       // of a
  float least;
  Hits hits;

  __device__ void operator()(const Counts& counts, const Item& item,
                             const ThreadPlace& place) const {
    const int b0 = item.b * tile + place.row();
    const int c0 = item.c * tile;
    float4 of_bc[8];
#pragma unroll
    for (int j = 0; j < 8; ++j) of_bc[j] = bc.at(item.b, item.c, place, j);
    const float single_b[2] = {singles[b0], singles[b0 + 8]};
#pragma unroll
    for (int i = 0; i < outer_width; ++i) {
      const int a = item.outer * outer_width + i;
      load_no_earlier();
      const PairLeads leads[2] = {{all, singles[a], single_b[0], ab.one(a, b0)},
                                  {all, singles[a], single_b[1], ab.one(a, b0 + 8)}};
      const float less[2] = {magic + ab_first.one(a, b0), magic + ab_first.one(a, b0 + 8)};
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        const int c = c0 + place.column(j);
        const float2 single_c = *reinterpret_cast<const float2*>(singles + c);
        const float2 of_ac = ac.two(a, c);
        const auto sum = [&](int e, auto kind) {
          const float t = __int_as_float(counts[i][j][e]) - less[e / 2];
          return kind(leads[e / 2], t, part(of_ac, e), part(of_bc[j], e),
                      part(single_c, e) - part(of_ac, e));
        };
        float sums[4];
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          sums[e] = sum(e, [](const PairLeads& of, float t, float x, float y, float z) {
            return of.sum(t, x, y, z);
          });
        }
        if (largest(sums) < least - cells) continue;
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const int b = b0 + e / 2 * 8;
          const bool ours = c + e % 2 < b && b < a && a >= first && a <= last;
          if (!ours || sums[e] < least - cells) continue;
          const float full = sum(e, [](const PairLeads& of, float t, float x, float y, float z) {
            return of.full_sum(t, x, y, z);
          });
          if (full >= least) hits.add(full, c + e % 2, b, a);
        }
      }
    }
  }
};

// The same for quadruples {c < b < a < q}; item.part counts the q from `first_q` on. The sixteen
// cells are those of {a, b, c} where q is set and where it is not.
struct ScreenQuadruples {
  static constexpr int start = magic_bits;
  static constexpr float cells = 16;
  const float* triples;        // leads, a plane per a
  const float* triples_first;  // rows of the first class
  Blocks pairs;                // leads
  const float* singles;
  float all;
  int first_q, last_q;
  int first, last;  // of the first q only a from this on, of the last only up to that
  float least;
  Hits hits;

  __device__ void operator()(const Counts& counts, const Item& item,
                             const ThreadPlace& place) const {
    const std::size_t plane = static_cast<std::size_t>(pairs.wide) * pairs.wide * (tile * tile);
    const int q = first_q + item.part;
    const int b0 = item.b * tile + place.row();
    const int c0 = item.c * tile;
    const Blocks of_q{triples + q * plane, pairs.wide};
    const Blocks of_q_first{triples_first + q * plane, pairs.wide};
#pragma unroll
    for (int i = 0; i < outer_width; ++i) {
      const int a = item.outer * outer_width + i;
      const Blocks of_a{triples + a * plane, pairs.wide};
      const float q_all = singles[q];
      const float q_a = pairs.one(q, a);
      const float less[2] = {magic + of_q_first.one(a, b0), magic + of_q_first.one(a, b0 + 8)};
      const float q_b[2] = {pairs.one(q, b0), pairs.one(q, b0 + 8)};
      const float q_ab[2] = {of_q.one(a, b0), of_q.one(a, b0 + 8)};
      const PairLeads with[2] = {{q_all, q_a, q_b[0], q_ab[0]}, {q_all, q_a, q_b[1], q_ab[1]}};
      const PairLeads without[2] = {
          {all - q_all, singles[a] - q_a, singles[b0] - q_b[0], pairs.one(a, b0) - q_ab[0]},
          {all - q_all, singles[a] - q_a, singles[b0 + 8] - q_b[1],
           pairs.one(a, b0 + 8) - q_ab[1]}};
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        const int c = c0 + place.column(j);
        if (j % 2 == 0) load_no_earlier();
        const float2 ac = pairs.two(a, c);
        const float2 q_ac = of_q.two(a, c);
        const float2 single_c = *reinterpret_cast<const float2*>(singles + c);
        const float2 q_c = pairs.two(q, c);
        const float4 bc = pairs.at(item.b, item.c, place, j);
        const float4 q_bc = of_q.at(item.b, item.c, place, j);
        const float4 abc = of_a.at(item.b, item.c, place, j);
        const auto sum = [&](int e, auto kind) {
          const float t = __int_as_float(counts[i][j][e]) - less[e / 2];
          const float without_ac = part(ac, e) - part(q_ac, e);
          return kind(with[e / 2], t, part(q_ac, e), part(q_bc, e), part(q_c, e) - part(q_ac, e)) +
                 kind(without[e / 2], part(abc, e) - t, without_ac, part(bc, e) - part(q_bc, e),
                      part(single_c, e) - part(q_c, e) - without_ac);
        };
        float sums[4];
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          sums[e] = sum(e, [](const PairLeads& of, float t, float x, float y, float z) {
            return of.sum(t, x, y, z);
          });
        }
        if (largest(sums) < least - cells) continue;
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const int b = b0 + e / 2 * 8;
          const bool ours = c + e % 2 < b && b < a && a < q && (q > first_q || a >= first) &&
                            (q < last_q || a <= last);
          if (!ours || sums[e] < least - cells) continue;
          const float full = sum(e, [](const PairLeads& of, float t, float x, float y, float z) {
            return of.full_sum(t, x, y, z);
          });
          if (full >= least) hits.add(full, c + e % 2, b, a, q);
        }
      }
    }
  }
};

}  // namespace fsieve_cuda
