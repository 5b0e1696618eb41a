#include "methods/forward/pair_screen_kernel.h"

#define HWY_WANT_AVX3_DL 1  // products of 8 bits
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/forward/pair_screen_kernel.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <hwy/highway.h>

#include "base/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace fsieve::inline methods::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// sums[k * screen_panel + c]: inner products of column c of the panel with column k of four others.
// Coarse ones are of numbers of 8 bits, those of the panel without signs.
#if HWY_TARGET == HWY_AVX3_DL
// Machines of this set have VNNI, which the compiler is not told of with it.
#define FSIEVE_VNNI __attribute__((target("avx512vnni")))

template <bool coarse>
FSIEVE_VNNI inline __m512i WithProducts(__m512i sum, __m512i a, __m512i b) {
  if constexpr (coarse) return _mm512_dpbusd_epi32(sum, a, b);
  return _mm512_dpwssd_epi32(sum, a, b);
}

template <bool coarse>
FSIEVE_VNNI void SumsOfWords(const std::int32_t* panel_words, const std::int32_t* others,
                             std::size_t words, std::int32_t* sums) {
  static_assert(screen_panel == 32 && screened_at_once == 4);
  // Each by its name: of an array the compiler makes copies.
  __m512i s00 = _mm512_setzero_si512(), s01 = s00, s10 = s00, s11 = s00;
  __m512i s20 = s00, s21 = s00, s30 = s00, s31 = s00;
  for (std::size_t w = 0; w < words; ++w) {
    const __m512i a0 = _mm512_loadu_si512(panel_words + w * screen_panel);
    const __m512i a1 = _mm512_loadu_si512(panel_words + w * screen_panel + 16);
    __m512i b = _mm512_set1_epi32(others[w]);
    s00 = WithProducts<coarse>(s00, a0, b);
    s01 = WithProducts<coarse>(s01, a1, b);
    b = _mm512_set1_epi32(others[words + w]);
    s10 = WithProducts<coarse>(s10, a0, b);
    s11 = WithProducts<coarse>(s11, a1, b);
    b = _mm512_set1_epi32(others[2 * words + w]);
    s20 = WithProducts<coarse>(s20, a0, b);
    s21 = WithProducts<coarse>(s21, a1, b);
    b = _mm512_set1_epi32(others[3 * words + w]);
    s30 = WithProducts<coarse>(s30, a0, b);
    s31 = WithProducts<coarse>(s31, a1, b);
  }
  std::size_t at = 0;
  for (const __m512i sum : {s00, s01, s10, s11, s20, s21, s30, s31}) {
    _mm512_storeu_si512(sums + at, sum);
    at += 16;
  }
}
#undef FSIEVE_VNNI

void Dots(const std::int32_t* panel_words, const std::int32_t* others, std::size_t words,
          std::int32_t* sums) {
  SumsOfWords<false>(panel_words, others, words, sums);
}
void CoarseDots(const std::int32_t* panel_words, const std::int32_t* others, std::size_t words,
                std::int32_t* sums) {
  SumsOfWords<true>(panel_words, others, words, sums);
}
#elif HWY_TARGET == HWY_SCALAR
void Dots(const std::int32_t* panel_words, const std::int32_t* others, std::size_t words,
          std::int32_t* sums) {
  const auto low = [](std::int32_t word) {
    return static_cast<std::int32_t>(static_cast<std::int16_t>(word));
  };
  for (std::size_t k = 0; k < screened_at_once; ++k) {
    for (std::size_t c = 0; c < screen_panel; ++c) {
      std::int32_t sum = 0;
      for (std::size_t w = 0; w < words; ++w) {
        const std::int32_t a = panel_words[w * screen_panel + c];
        const std::int32_t b = others[k * words + w];
        sum += low(a) * low(b) + (a >> 16) * (b >> 16);
      }
      sums[k * screen_panel + c] = sum;
    }
  }
}
#else
void Dots(const std::int32_t* panel_words, const std::int32_t* others, std::size_t words,
          std::int32_t* sums) {
  const hn::CappedTag<std::int32_t, screen_panel / 2> tag;
  const hn::Repartition<std::int16_t, decltype(tag)> halves;
  using V = hn::Vec<decltype(tag)>;
  const std::size_t lanes = hn::Lanes(tag);
  for (std::size_t c = 0; c < screen_panel; c += 2 * lanes) {
    // The second of each is used where a product of halves fills two registers.
    V s00 = hn::Zero(tag), s01 = s00, s02 = s00, s03 = s00;
    V s10 = s00, s11 = s00, s12 = s00, s13 = s00;
    V t00 = s00, t01 = s00, t02 = s00, t03 = s00;
    V t10 = s00, t11 = s00, t12 = s00, t13 = s00;
    const auto add = [&](auto a, auto b, V s, V& t)
                         HWY_ATTR { return hn::ReorderWidenMulAccumulate(tag, a, b, s, t); };
    for (std::size_t w = 0; w < words; ++w) {
      const auto a0 = hn::BitCast(halves, hn::LoadU(tag, panel_words + w * screen_panel + c));
      const auto a1 =
          hn::BitCast(halves, hn::LoadU(tag, panel_words + w * screen_panel + c + lanes));
      auto b = hn::BitCast(halves, hn::Set(tag, others[w]));
      s00 = add(a0, b, s00, t00);
      s10 = add(a1, b, s10, t10);
      b = hn::BitCast(halves, hn::Set(tag, others[words + w]));
      s01 = add(a0, b, s01, t01);
      s11 = add(a1, b, s11, t11);
      b = hn::BitCast(halves, hn::Set(tag, others[2 * words + w]));
      s02 = add(a0, b, s02, t02);
      s12 = add(a1, b, s12, t12);
      b = hn::BitCast(halves, hn::Set(tag, others[3 * words + w]));
      s03 = add(a0, b, s03, t03);
      s13 = add(a1, b, s13, t13);
    }
    const auto put = [&](V s, V t, std::size_t at)
                         HWY_ATTR { hn::StoreU(hn::RearrangeToOddPlusEven(s, t), tag, sums + at); };
    put(s00, t00, c);
    put(s10, t10, c + lanes);
    put(s01, t01, screen_panel + c);
    put(s11, t11, screen_panel + c + lanes);
    put(s02, t02, 2 * screen_panel + c);
    put(s12, t12, 2 * screen_panel + c + lanes);
    put(s03, t03, 3 * screen_panel + c);
    put(s13, t13, 3 * screen_panel + c + lanes);
  }
}
#endif

#if HWY_TARGET != HWY_AVX3_DL
void CoarseDots(const std::int32_t* /*panel*/, const std::int32_t* /*others*/,
                std::size_t /*words*/, std::int32_t* /*sums*/) {}
#endif

// With s and e the sum and its error, in units: a product holds at most Σ (|s| + e)² over a norm of
// at least s − e. Sums in single precision are off by parts in 10⁷, for which a little is added.
template <class Sum>
void MayHold(const Sum& dots, const PairScreenTask& task, float least,
             std::uint32_t masks[screened_at_once]) {
  const hn::CappedTag<float, screen_panel / 2> tag;
  const hn::RebindToSigned<decltype(tag)> whole;
  const std::size_t lanes = hn::Lanes(tag);
  const auto little_more = hn::Set(tag, 1 + 1e-5F);
  const auto tiny = hn::Set(tag, 1e-30F);
  HWY_ALIGN std::int32_t sums[screened_at_once * screen_panel];
  HWY_ALIGN float held[screened_at_once * screen_panel] = {};
  for (std::size_t y = 0; y < task.labels; ++y) {
    const std::size_t first = y * task.columns;
    dots(task.values.words, task.with_label.words + first * task.words, task.words, sums);
    for (std::size_t k = 0; k < screened_at_once; ++k) {
      const auto more = hn::Set(whole, task.more == nullptr ? 0 : task.more[first + k]);
      const auto off = hn::Set(tag, task.with_label.off[first + k]);
      const auto unit = hn::Set(tag, task.with_label.unit[first + k]);
      for (std::size_t c = 0; c < screen_panel; c += lanes) {
        float* to = held + k * screen_panel + c;
        const auto units = hn::Sub(hn::LoadU(whole, sums + k * screen_panel + c), more);
        const auto sum = hn::ConvertTo(tag, units);
        const auto most = hn::Add(hn::Abs(sum), hn::Add(off, hn::LoadU(tag, task.values.off + c)));
        const auto scaled = hn::Mul(hn::Mul(most, unit), hn::LoadU(tag, task.values.unit + c));
        hn::StoreU(hn::MulAdd(scaled, scaled, hn::LoadU(tag, to)), tag, to);
      }
    }
  }
  dots(task.squares.words, task.with_squares.words, task.words, sums);
  for (std::size_t k = 0; k < screened_at_once; ++k) {
    const auto off = hn::Set(tag, task.with_squares.off[k]);
    const auto unit = hn::Set(tag, task.with_squares.unit[k]);
    const auto limit = hn::Set(tag, least - task.v_terms[k]);
    masks[k] = 0;
    for (std::size_t c = 0; c < screen_panel; c += lanes) {
      const auto sum = hn::ConvertTo(tag, hn::LoadU(whole, sums + k * screen_panel + c));
      const auto fewest = hn::Sub(sum, hn::Add(off, hn::LoadU(tag, task.squares.off + c)));
      const auto scaled = hn::Mul(hn::Mul(fewest, unit), hn::LoadU(tag, task.squares.unit + c));
      const auto missing = hn::Sub(limit, hn::LoadU(tag, task.u_terms + c));
      const auto most = hn::Mul(hn::LoadU(tag, held + k * screen_panel + c), little_more);
      const auto passes = hn::Ge(most, hn::Mul(hn::Max(scaled, tiny), missing));
      std::uint8_t bits[8] = {};
      hn::StoreMaskBits(tag, passes, bits);
      for (std::size_t b = 0; b < (lanes + 7) / 8; ++b) {
        masks[k] |= static_cast<std::uint32_t>(bits[b]) << (c + 8 * b);
      }
    }
  }
}

void PairsMayHold(const PairScreenTask& task, float least, std::uint32_t masks[screened_at_once]) {
  MayHold(Dots, task, least, masks);
}

bool CoarseScreens() { return HWY_TARGET == HWY_AVX3_DL; }

bool AnyPairMayHold(const PairScreenTask& coarse, float least) {
  std::uint32_t masks[screened_at_once];
  MayHold(CoarseDots, coarse, least, masks);
  std::uint32_t any = 0;
  for (const std::uint32_t mask : masks) any |= mask;
  return any != 0;
}

}  // namespace fsieve::methods::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fsieve::inline methods {

HWY_EXPORT(PairsMayHold);
HWY_EXPORT(CoarseScreens);
HWY_EXPORT(AnyPairMayHold);

void pairs_may_hold(const PairScreenTask& task, float least,
                    std::uint32_t masks[screened_at_once]) {
  FSIEVE_DISPATCH(PairsMayHold)(task, least, masks);
}

bool coarse_screens() { return FSIEVE_DISPATCH(CoarseScreens)(); }

bool any_pair_may_hold(const PairScreenTask& coarse, float least) {
  return FSIEVE_DISPATCH(AnyPairMayHold)(coarse, least);
}

}  // namespace fsieve::methods
#endif
