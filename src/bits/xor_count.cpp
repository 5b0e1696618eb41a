#include "bits/xor_count.h"

// AVX-512 with VPOPCNTDQ counts eight words per instruction, but Highway offers it on request only.
#define HWY_WANT_AVX3_DL 1

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bits/xor_count.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <hwy/highway.h>

#include "base/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace fsieve::inline bits::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Sixteen sums stay in registers; eight loads feed sixteen counts.
void Add4x4(const std::uint64_t* const a[4], const std::uint64_t* const b[4], std::size_t words,
            std::int64_t counts[16]) {
  const hn::ScalableTag<std::uint64_t> tag;
  const std::size_t lanes = hn::Lanes(tag);
  using V = hn::Vec<decltype(tag)>;
  V s00 = hn::Zero(tag), s01 = s00, s02 = s00, s03 = s00;
  V s10 = s00, s11 = s00, s12 = s00, s13 = s00;
  V s20 = s00, s21 = s00, s22 = s00, s23 = s00;
  V s30 = s00, s31 = s00, s32 = s00, s33 = s00;
  std::size_t w = 0;
  const auto differ = [](V x, V y) { return hn::PopulationCount(hn::Xor(x, y)); };
  for (; w + lanes <= words; w += lanes) {
    const V b0 = hn::LoadU(tag, b[0] + w);
    const V b1 = hn::LoadU(tag, b[1] + w);
    const V b2 = hn::LoadU(tag, b[2] + w);
    const V b3 = hn::LoadU(tag, b[3] + w);
    V x = hn::LoadU(tag, a[0] + w);
    s00 = hn::Add(s00, differ(x, b0));
    s01 = hn::Add(s01, differ(x, b1));
    s02 = hn::Add(s02, differ(x, b2));
    s03 = hn::Add(s03, differ(x, b3));
    x = hn::LoadU(tag, a[1] + w);
    s10 = hn::Add(s10, differ(x, b0));
    s11 = hn::Add(s11, differ(x, b1));
    s12 = hn::Add(s12, differ(x, b2));
    s13 = hn::Add(s13, differ(x, b3));
    x = hn::LoadU(tag, a[2] + w);
    s20 = hn::Add(s20, differ(x, b0));
    s21 = hn::Add(s21, differ(x, b1));
    s22 = hn::Add(s22, differ(x, b2));
    s23 = hn::Add(s23, differ(x, b3));
    x = hn::LoadU(tag, a[3] + w);
    s30 = hn::Add(s30, differ(x, b0));
    s31 = hn::Add(s31, differ(x, b1));
    s32 = hn::Add(s32, differ(x, b2));
    s33 = hn::Add(s33, differ(x, b3));
  }
  const auto total = [&](V v) {
    return static_cast<std::int64_t>(hn::GetLane(hn::SumOfLanes(tag, v)));
  };
  const std::int64_t sums[16] = {total(s00), total(s01), total(s02), total(s03),
                                 total(s10), total(s11), total(s12), total(s13),
                                 total(s20), total(s21), total(s22), total(s23),
                                 total(s30), total(s31), total(s32), total(s33)};
  for (int k = 0; k < 16; ++k) counts[k] += sums[k];
  for (; w < words; ++w) {
    for (int k = 0; k < 16; ++k) counts[k] += __builtin_popcountll(a[k / 4][w] ^ b[k % 4][w]);
  }
}

}  // namespace fsieve::bits::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fsieve::inline bits {

HWY_EXPORT(Add4x4);

void add_xor_counts_4x4(const std::uint64_t* const a[4], const std::uint64_t* const b[4],
                        std::size_t words, std::int64_t counts[16]) {
  FSIEVE_DISPATCH(Add4x4)(a, b, words, counts);
}

}  // namespace fsieve::bits
#endif
