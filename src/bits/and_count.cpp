#include "bits/and_count.h"

// AVX-512 with VPOPCNTDQ counts eight words per instruction, but Highway offers it on request only.
#define HWY_WANT_AVX3_DL 1

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bits/and_count.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <hwy/highway.h>

#include <algorithm>

#include "base/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace fsieve::inline bits::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Without an instruction that counts, a word takes eight; adding words place by place takes five,
// and then only every fourth is to be counted (Harley and Seal).
#undef FSIEVE_CARRY_SAVE
#define FSIEVE_CARRY_SAVE \
  (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_SSE4)

using Words = hn::ScalableTag<std::uint64_t>;
using V = hn::Vec<Words>;

// Sums of sixteen vectors, each below 2^32, added to a 4 x 4 block of counts.
HWY_INLINE void AddSums(V s00, V s01, V s02, V s03, V s10, V s11, V s12, V s13, V s20, V s21, V s22,
                        V s23, V s30, V s31, V s32, V s33, std::uint32_t* counts,
                        std::size_t stride) {
#if HWY_TARGET == HWY_SCALAR
  const V all[16] = {s00, s01, s02, s03, s10, s11, s12, s13,
                     s20, s21, s22, s23, s30, s31, s32, s33};
  for (std::size_t k = 0; k < 16; ++k) {
    counts[k / 4 * stride + k % 4] += static_cast<std::uint32_t>(hn::GetLane(all[k]));
  }
#else
  const Words tag;
  // Two sums share a lane; then halves of vectors are added, two vectors at a time.
  const auto pack = [](V low, V high) HWY_ATTR { return hn::Add(low, hn::ShiftLeft<32>(high)); };
  const auto fold = [&](V a, V b) HWY_ATTR {
    return hn::Add(hn::InterleaveLower(tag, a, b), hn::InterleaveUpper(tag, a, b));
  };
  const V r0 = fold(pack(s00, s01), pack(s02, s03));
  const V r1 = fold(pack(s10, s11), pack(s12, s13));
  const V r2 = fold(pack(s20, s21), pack(s22, s23));
  const V r3 = fold(pack(s30, s31), pack(s32, s33));
  HWY_ALIGN std::uint64_t lanes[4 * hn::MaxLanes(tag)];
  std::size_t count = hn::Lanes(tag);
#if HWY_MAX_BYTES >= 32
  const auto halve = [&](V a, V b) HWY_ATTR {
    return hn::Add(hn::ConcatLowerLower(tag, b, a), hn::ConcatUpperUpper(tag, b, a));
  };
  hn::Store(halve(r0, r1), tag, lanes);
  hn::Store(halve(r2, r3), tag, lanes + count);
  count /= 2;
#else
  hn::Store(r0, tag, lanes);
  hn::Store(r1, tag, lanes + count);
  hn::Store(r2, tag, lanes + 2 * count);
  hn::Store(r3, tag, lanes + 3 * count);
#endif
  for (std::size_t r = 0; r < 4; ++r) {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    for (std::size_t k = 0; k < count; k += 2) {
      first += lanes[r * count + k];
      second += lanes[r * count + k + 1];
    }
    std::uint32_t* out = counts + r * stride;
    out[0] += static_cast<std::uint32_t>(first);
    out[1] += static_cast<std::uint32_t>(first >> 32U);
    out[2] += static_cast<std::uint32_t>(second);
    out[3] += static_cast<std::uint32_t>(second >> 32U);
  }
#endif
}

// Sixteen sums stay in registers; eight loads feed sixteen counts.
HWY_INLINE void Count4x4(const std::uint64_t* const a[4], const std::uint64_t* const b[4],
                         std::size_t words, std::uint32_t* counts, std::size_t stride) {
  const Words tag;
  const std::size_t lanes = hn::Lanes(tag);
  V s00 = hn::Zero(tag), s01 = s00, s02 = s00, s03 = s00;
  V s10 = s00, s11 = s00, s12 = s00, s13 = s00;
  V s20 = s00, s21 = s00, s22 = s00, s23 = s00;
  V s30 = s00, s31 = s00, s32 = s00, s33 = s00;
  const auto both = [](V x, V y) HWY_ATTR { return hn::PopulationCount(hn::And(x, y)); };
  const auto step = [&](V x0, V x1, V x2, V x3, V b0, V b1, V b2, V b3) HWY_ATTR {
    s00 = hn::Add(s00, both(x0, b0));
    s01 = hn::Add(s01, both(x0, b1));
    s02 = hn::Add(s02, both(x0, b2));
    s03 = hn::Add(s03, both(x0, b3));
    s10 = hn::Add(s10, both(x1, b0));
    s11 = hn::Add(s11, both(x1, b1));
    s12 = hn::Add(s12, both(x1, b2));
    s13 = hn::Add(s13, both(x1, b3));
    s20 = hn::Add(s20, both(x2, b0));
    s21 = hn::Add(s21, both(x2, b1));
    s22 = hn::Add(s22, both(x2, b2));
    s23 = hn::Add(s23, both(x2, b3));
    s30 = hn::Add(s30, both(x3, b0));
    s31 = hn::Add(s31, both(x3, b1));
    s32 = hn::Add(s32, both(x3, b2));
    s33 = hn::Add(s33, both(x3, b3));
  };
  const std::uint64_t *a0 = a[0], *a1 = a[1], *a2 = a[2], *a3 = a[3];
  const std::uint64_t *c0 = b[0], *c1 = b[1], *c2 = b[2], *c3 = b[3];
  std::size_t w = 0;
  for (; w + lanes <= words; w += lanes) {
    step(hn::LoadU(tag, a0 + w), hn::LoadU(tag, a1 + w), hn::LoadU(tag, a2 + w),
         hn::LoadU(tag, a3 + w), hn::LoadU(tag, c0 + w), hn::LoadU(tag, c1 + w),
         hn::LoadU(tag, c2 + w), hn::LoadU(tag, c3 + w));
  }
  if (w < words) {
    const auto rest = hn::FirstN(tag, words - w);
    // Not MaskedLoad: without masks in hardware that takes aligned words for granted.
    const auto load = [&](const std::uint64_t* from)
                          HWY_ATTR { return hn::IfThenElseZero(rest, hn::LoadU(tag, from + w)); };
    step(load(a0), load(a1), load(a2), load(a3), load(c0), load(c1), load(c2), load(c3));
  }
  AddSums(s00, s01, s02, s03, s10, s11, s12, s13, s20, s21, s22, s23, s30, s31, s32, s33, counts,
          stride);
}

#if FSIEVE_CARRY_SAVE

using Bytes = hn::Repartition<std::uint8_t, Words>;

// Adds x and y to the bits of `sum`, place by place; what is carried counts twice.
HWY_INLINE V CarrySave(V& sum, V x, V y) {
  const V differ = hn::Xor(sum, x);
  const V carry = hn::Or(hn::And(sum, x), hn::And(differ, y));
  sum = hn::Xor(differ, y);
  return carry;
}

// The counts of one pair, of which most words are counted four together.
struct PairSum {
  V ones, twos, total;
  hn::Vec<Bytes> fours;
};

HWY_INLINE PairSum NoSum() {
  const V zero = hn::Zero(Words());
  return {zero, zero, zero, hn::Zero(Bytes())};
}

// So many times, then Flush: before a byte is full.
constexpr std::size_t most_fours = 31;
HWY_INLINE void AddFour(PairSum& sum, V x0, V x1, V x2, V x3) {
  const V first = CarrySave(sum.ones, x0, x1);
  const V second = CarrySave(sum.ones, x2, x3);
  const V four = CarrySave(sum.twos, first, second);
  sum.fours = hn::Add(sum.fours, hn::PopulationCount(hn::BitCast(Bytes(), four)));
}

HWY_INLINE void Flush(PairSum& sum) {
  sum.total = hn::Add(sum.total, hn::ShiftLeft<2>(hn::SumsOf8(sum.fours)));
  sum.fours = hn::Zero(Bytes());
}

HWY_INLINE void Finish(PairSum& sum) {
  const auto two = hn::PopulationCount(hn::BitCast(Bytes(), sum.twos));
  const auto one = hn::PopulationCount(hn::BitCast(Bytes(), sum.ones));
  sum.total = hn::Add(sum.total, hn::SumsOf8(hn::Add(one, hn::Add(two, two))));
}

// Two rows with one column.
HWY_INLINE void Count2x1(const std::uint64_t* a0, const std::uint64_t* a1, const std::uint64_t* b,
                         std::size_t words, V& sum0, V& sum1) {
  const Words tag;
  const std::size_t lanes = hn::Lanes(tag);
  const std::size_t step = 4 * lanes;
  PairSum p = NoSum(), q = p;
  std::size_t w = 0;
  while (w + step <= words) {
    const std::size_t end = std::min(words, w + most_fours * step);
    for (; w + step <= end; w += step) {
      const V b0 = hn::LoadU(tag, b + w);
      const V b1 = hn::LoadU(tag, b + w + lanes);
      const V b2 = hn::LoadU(tag, b + w + 2 * lanes);
      const V b3 = hn::LoadU(tag, b + w + 3 * lanes);
      const auto both = [&](V y, const std::uint64_t* a, std::size_t k)
                            HWY_ATTR { return hn::And(y, hn::LoadU(tag, a + w + k * lanes)); };
      AddFour(p, both(b0, a0, 0), both(b1, a0, 1), both(b2, a0, 2), both(b3, a0, 3));
      AddFour(q, both(b0, a1, 0), both(b1, a1, 1), both(b2, a1, 2), both(b3, a1, 3));
    }
    Flush(p);
    Flush(q);
  }
  Finish(p);
  Finish(q);
  for (; w < words; w += lanes) {
    const auto rest = hn::FirstN(tag, std::min(lanes, words - w));
    const V y = hn::IfThenElseZero(rest, hn::LoadU(tag, b + w));
    p.total = hn::Add(p.total, hn::PopulationCount(hn::And(y, hn::LoadU(tag, a0 + w))));
    q.total = hn::Add(q.total, hn::PopulationCount(hn::And(y, hn::LoadU(tag, a1 + w))));
  }
  sum0 = p.total;
  sum1 = q.total;
}

// The same as Count4x4 for long columns.
HWY_NOINLINE void CountLong4x4(const std::uint64_t* const a[4], const std::uint64_t* const b[4],
                               std::size_t words, std::uint32_t* counts, std::size_t stride) {
  V s[4][4];
  for (std::size_t c = 0; c < 4; ++c) {
    Count2x1(a[0], a[1], b[c], words, s[0][c], s[1][c]);
    Count2x1(a[2], a[3], b[c], words, s[2][c], s[3][c]);
  }
  AddSums(s[0][0], s[0][1], s[0][2], s[0][3], s[1][0], s[1][1], s[1][2], s[1][3], s[2][0], s[2][1],
          s[2][2], s[2][3], s[3][0], s[3][1], s[3][2], s[3][3], counts, stride);
}

#endif  // FSIEVE_CARRY_SAVE

// By the way that takes fewer instructions.
HWY_INLINE void CountBlock4x4(const std::uint64_t* const a[4], const std::uint64_t* const b[4],
                              std::size_t words, std::uint32_t* counts, std::size_t stride) {
#if FSIEVE_CARRY_SAVE
  const Words tag;
  constexpr std::size_t many = 12;  // vectors: measured
  if (words >= many * hn::Lanes(tag)) return CountLong4x4(a, b, words, counts, stride);
#endif
  Count4x4(a, b, words, counts, stride);
}

void AndWords(const std::uint64_t* a, const std::uint64_t* b, std::size_t words,
              std::uint64_t* out) {
  const Words tag;
  const std::size_t lanes = hn::Lanes(tag);
  std::size_t w = 0;
  for (; w + lanes <= words; w += lanes) {
    hn::StoreU(hn::And(hn::LoadU(tag, a + w), hn::LoadU(tag, b + w)), tag, out + w);
  }
  for (; w < words; ++w) out[w] = a[w] & b[w];
}

void AddAndCounts(const CountBlock& block, std::size_t first, std::size_t words) {
  for (std::size_t r = 0; r < block.row_count; r += 4) {
    const std::uint64_t* a[4];
    for (std::size_t k = 0; k < 4; ++k) {
      a[k] = block.rows[std::min(r + k, block.row_count - 1)] + first;
    }
    const std::size_t limit =
        block.limits == nullptr
            ? block.column_count
            : std::min(block.column_count, block.limits[std::min(r + 3, block.row_count - 1)]);
    const bool whole_rows = r + 4 <= block.row_count;
    for (std::size_t c = 0; c < limit; c += 4) {
      const std::uint64_t* b[4];
      for (std::size_t k = 0; k < 4; ++k) {
        b[k] = block.columns[std::min(c + k, block.column_count - 1)] + first;
      }
      if (whole_rows && c + 4 <= block.column_count) {
        CountBlock4x4(a, b, words, block.counts + r * block.stride + c, block.stride);
        continue;
      }
      std::uint32_t edge[16] = {};
      CountBlock4x4(a, b, words, edge, 4);
      for (std::size_t i = 0; i < 4 && r + i < block.row_count; ++i) {
        for (std::size_t j = 0; j < 4 && c + j < block.column_count; ++j) {
          block.counts[(r + i) * block.stride + c + j] += edge[i * 4 + j];
        }
      }
    }
  }
}

}  // namespace fsieve::bits::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fsieve::inline bits {

HWY_EXPORT(AddAndCounts);
HWY_EXPORT(AndWords);

void add_and_counts(const CountBlock& block, std::size_t first, std::size_t words) {
  FSIEVE_DISPATCH(AddAndCounts)(block, first, words);
}

void and_words(const std::uint64_t* a, const std::uint64_t* b, std::size_t words,
               std::uint64_t* out) {
  FSIEVE_DISPATCH(AndWords)(a, b, words, out);
}

}  // namespace fsieve::bits
#endif
