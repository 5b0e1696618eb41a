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
  // The numbers of a feature `row` and a thread's columns of tile `c`: two of the first eight here,
  // those of the next eight `next_eight` further.
  static constexpr int next_eight = 128;
  __device__ const float* row_of(int row, int c, const ThreadPlace& place) const {
    return place_of(row, c * tile + place.column(0));
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

// Writes counts to planes [a - first] of [b][c], of whole numbers row by row or of floats in
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

  struct Common {};
  struct Operands {};
  __device__ Common prepare(const Item&, const ThreadPlace&) const { return {}; }
  __device__ Operands load(int, const Item&, const ThreadPlace&) const { return {}; }

  __device__ void operator()(const Common&, const Operands&, const int4* desk, int a,
                             const Item& item, const ThreadPlace& place) const {
    if (a - first >= planes) return;
    const int b = item.b * tile + place.row();
    const int less[2] = {taken_away(a, b), taken_away(a, b + 8)};
    const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>((a - first) * plane);
#pragma unroll 1
    for (int j = 0; j < 8; ++j) {
      const int4 four = desk[j * consumers];
      if (floats) {
        const std::ptrdiff_t block =
            (static_cast<std::ptrdiff_t>(item.b) * (width / tile) + item.c) * (tile * tile);
        const std::ptrdiff_t to = begin + block + ((place.warp * 8 + j) * 32 + place.lane) * 4;
        *reinterpret_cast<float4*>(static_cast<float*>(out) + to) =
            make_float4(static_cast<float>(four.x - less[0]), static_cast<float>(four.y - less[0]),
                        static_cast<float>(four.z - less[1]), static_cast<float>(four.w - less[1]));
        continue;
      }
      int* const to = static_cast<int*>(out) + begin + static_cast<std::ptrdiff_t>(b) * width +
                      item.c * tile + place.column(j);
      *reinterpret_cast<int2*>(to) = make_int2(four.x - less[0], four.y - less[0]);
      *reinterpret_cast<int2*>(to + static_cast<std::ptrdiff_t>(8) * width) =
          make_int2(four.z - less[1], four.w - less[1]);
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

// Columns j whose sums are compared with the threshold in one go.
constexpr int looked_at_together = 4;

__device__ inline float part(const float2& two, int e) { return e % 2 == 0 ? two.x : two.y; }
__device__ inline float part(const float4& four, int e) {
  return e < 2 ? (e == 0 ? four.x : four.y) : (e == 2 ? four.z : four.w);
}
__device__ inline float4 floats(const int4& four) {
  return make_float4(__int_as_float(four.x), __int_as_float(four.y), __int_as_float(four.z),
                     __int_as_float(four.w));
}
__device__ inline float2 two_of(const float* from, int at) {
  return *reinterpret_cast<const float2*>(from + at);
}

// How many of the eight columns j of an item have a c below the last b of this warp; none where all
// b are above a.
__device__ inline int columns_below(const Item& item, int a, const ThreadPlace& place) {
  const int first_b = item.b * tile + place.warp * 16;
  if (a <= first_b) return 0;
  const int below = first_b + 15 - item.c * tile;
  return below >= tile ? 8 : (below + 7) / 8;
}

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

  // What all a need.
  struct Common {
    float4 bc[8];
    float2 c[8];
    float b[2];
  };
  __device__ Common prepare(const Item& item, const ThreadPlace& place) const {
    Common common;
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      common.bc[j] = bc.at(item.b, item.c, place, j);
      common.c[j] = two_of(singles, item.c * tile + place.column(j));
    }
    common.b[0] = singles[item.b * tile + place.row()];
    common.b[1] = singles[item.b * tile + place.row() + 8];
    return common;
  }

  // What one a needs.
  struct Operands {
    float2 ac[8];
    float a, ab[2], first[2];
  };
  __device__ Operands load(int a, const Item& item, const ThreadPlace& place) const {
    const int b = item.b * tile + place.row();
    Operands operands{{},
                      singles[a],
                      {ab.one(a, b), ab.one(a, b + 8)},
                      {ab_first.one(a, b), ab_first.one(a, b + 8)}};
    const float* const of_a = ac.row_of(a, item.c, place);
#pragma unroll
    for (int j = 0; j < 8; ++j) operands.ac[j] = two_of(of_a, j * Blocks::next_eight);
    return operands;
  }

  __device__ void operator()(const Common& common, const Operands& of_a, const int4* desk, int a,
                             const Item& item, const ThreadPlace& place) const {
    const int steps = columns_below(item, a, place);
    if (steps == 0) return;
    const PairLeads leads[2] = {{all, of_a.a, common.b[0], of_a.ab[0]},
                                {all, of_a.a, common.b[1], of_a.ab[1]}};
    const float less[2] = {magic + of_a.first[0], magic + of_a.first[1]};
#pragma unroll
    for (int j0 = 0; j0 < 8; j0 += looked_at_together) {
      if (j0 >= steps) break;
      float most = 0;
#pragma unroll
      for (int j = j0; j < j0 + looked_at_together; ++j) {
        const float4 counts = floats(desk[j * consumers]);
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const float of_ac = part(of_a.ac[j], e);
          most = fmaxf(most, leads[e / 2].sum(part(counts, e) - less[e / 2], of_ac,
                                              part(common.bc[j], e), part(common.c[j], e) - of_ac));
        }
      }
      if (most >= least - cells) find(desk, a, item, place, j0);
    }
  }

 private:
  // Which of them it is. Rare, so it loads everything again.
  __device__ __noinline__ void find(const int4* desk, int a, const Item& item,
                                    const ThreadPlace& place, int j0) const {
#pragma unroll 1
    for (int i = 0; i < looked_at_together * 4; ++i) {
      const int j = j0 + i / 4;
      const int e = i % 4;
      const int b = item.b * tile + place.row() + e / 2 * 8;
      const int c = item.c * tile + place.column(j) + e % 2;
      if (c >= b || b >= a || a < first || a > last) continue;
      const float count = __int_as_float(reinterpret_cast<const int*>(desk + j * consumers)[e]);
      const float of_ac = ac.one(a, c);
      const PairLeads leads(all, singles[a], singles[b], ab.one(a, b));
      const float full = leads.full_sum(count - magic - ab_first.one(a, b), of_ac, bc.one(b, c),
                                        singles[c] - of_ac);
      if (full >= least) hits.add(full, c, b, a);
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

  // What all a need, what one a needs, and what four quadruples of a step need. More in advance
  // would not find registers.
  struct Common {
    float4 q_bc[8];
    float q, b[2], q_b[2];
  };
  struct Operands {
    float a, q_a, ab[2], q_ab[2], first[2];
  };
  struct Step {
    float4 abc, bc;
    float2 ac, q_ac, c, q_c;
  };

  __device__ std::size_t plane() const {
    return static_cast<std::size_t>(pairs.wide) * pairs.wide * (tile * tile);
  }
  __device__ Common prepare(const Item& item, const ThreadPlace& place) const {
    const Blocks of_q{triples + (first_q + item.part) * plane(), pairs.wide};
    Common common;
#pragma unroll
    for (int j = 0; j < 8; ++j) common.q_bc[j] = of_q.at(item.b, item.c, place, j);
    const int q = first_q + item.part;
    common.q = singles[q];
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int b = item.b * tile + place.row() + h * 8;
      common.b[h] = singles[b];
      common.q_b[h] = pairs.one(q, b);
    }
    return common;
  }
  __device__ Operands load(int a, const Item& item, const ThreadPlace& place) const {
    const int q = first_q + item.part;
    const int b = item.b * tile + place.row();
    const Blocks of_q{triples + q * plane(), pairs.wide};
    const Blocks of_q_first{triples_first + q * plane(), pairs.wide};
    return {singles[a],
            pairs.one(q, a),
            {pairs.one(a, b), pairs.one(a, b + 8)},
            {of_q.one(a, b), of_q.one(a, b + 8)},
            {of_q_first.one(a, b), of_q_first.one(a, b + 8)}};
  }

  __device__ void operator()(const Common& common, const Operands& of_a, const int4* desk, int a,
                             const Item& item, const ThreadPlace& place) const {
    const int q = first_q + item.part;
    const int steps = a < q ? columns_below(item, a, place) : 0;
    if (steps == 0) return;
    const Blocks of_q{triples + q * plane(), pairs.wide};
    const Blocks of_abc{triples + a * plane(), pairs.wide};
    const float* const ac = pairs.row_of(a, item.c, place);
    const float* const q_ac = of_q.row_of(a, item.c, place);
    const float* const q_c = pairs.row_of(q, item.c, place);
    const float* const c = singles + item.c * tile + place.column(0);
    const auto load_step = [&](int j) -> Step {
      const int at = j * Blocks::next_eight;
      return {of_abc.at(item.b, item.c, place, j),
              pairs.at(item.b, item.c, place, j),
              two_of(ac, at),
              two_of(q_ac, at),
              two_of(c, j * 8),
              two_of(q_c, at)};
    };
    const PairLeads set[2] = {{common.q, of_a.q_a, common.q_b[0], of_a.q_ab[0]},
                              {common.q, of_a.q_a, common.q_b[1], of_a.q_ab[1]}};
    const PairLeads clear[2] = {
        {all - common.q, of_a.a - of_a.q_a, common.b[0] - common.q_b[0], of_a.ab[0] - of_a.q_ab[0]},
        {all - common.q, of_a.a - of_a.q_a, common.b[1] - common.q_b[1],
         of_a.ab[1] - of_a.q_ab[1]}};
    const float less[2] = {magic + of_a.first[0], magic + of_a.first[1]};
#pragma unroll
    for (int j0 = 0; j0 < 8; j0 += looked_at_together) {
      if (j0 >= steps) break;
      Step steps_of[looked_at_together];  // loads that do not wait for each other
#pragma unroll
      for (int i = 0; i < looked_at_together; ++i) steps_of[i] = load_step(j0 + i);
      float most = 0;
#pragma unroll
      for (int j = j0; j < j0 + looked_at_together; ++j) {
        const Step& with = steps_of[j - j0];
        const float4 counts = floats(desk[j * consumers]);
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const float t = part(counts, e) - less[e / 2];
          const float q_bc = part(common.q_bc[j], e);
          const float with_ac = part(with.q_ac, e);
          const float clear_ac = part(with.ac, e) - with_ac;
          most = fmaxf(
              most, set[e / 2].sum(t, with_ac, q_bc, part(with.q_c, e) - with_ac) +
                        clear[e / 2].sum(part(with.abc, e) - t, clear_ac, part(with.bc, e) - q_bc,
                                         part(with.c, e) - part(with.q_c, e) - clear_ac));
        }
      }
      if (most >= least - cells) find(desk, a, item, place, j0);
    }
  }

 private:
  __device__ __noinline__ void find(const int4* desk, int a, const Item& item,
                                    const ThreadPlace& place, int j0) const {
    const int q = first_q + item.part;
    const Blocks of_q{triples + q * plane(), pairs.wide};
    const Blocks of_q_first{triples_first + q * plane(), pairs.wide};
    const Blocks of_a{triples + a * plane(), pairs.wide};
#pragma unroll 1
    for (int i = 0; i < looked_at_together * 4; ++i) {
      const int j = j0 + i / 4;
      const int e = i % 4;
      const int b = item.b * tile + place.row() + e / 2 * 8;
      const int c = item.c * tile + place.column(j) + e % 2;
      const bool ours = c < b && b < a && (q > first_q || a >= first) && (q < last_q || a <= last);
      if (!ours) continue;
      const float count = __int_as_float(reinterpret_cast<const int*>(desk + j * consumers)[e]);
      const float t = count - magic - of_q_first.one(a, b);
      const float q_all = singles[q];
      const float q_a = pairs.one(q, a);
      const float q_b = pairs.one(q, b);
      const float q_c = pairs.one(q, c);
      const float q_ab = of_q.one(a, b);
      const float q_ac = of_q.one(a, c);
      const float q_bc = of_q.one(b, c);
      const PairLeads set(q_all, q_a, q_b, q_ab);
      const PairLeads clear(all - q_all, singles[a] - q_a, singles[b] - q_b,
                            pairs.one(a, b) - q_ab);
      const float clear_ac = pairs.one(a, c) - q_ac;
      const float full = set.full_sum(t, q_ac, q_bc, q_c - q_ac) +
                         clear.full_sum(of_a.one(b, c) - t, clear_ac, pairs.one(b, c) - q_bc,
                                        singles[c] - q_c - clear_ac);
      if (full >= least) hits.add(full, c, b, a, q);
    }
  }
};

}  // namespace fsieve_cuda
