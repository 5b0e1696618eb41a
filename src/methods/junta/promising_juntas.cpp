#include "methods/junta/promising_juntas.h"

#define HWY_WANT_AVX3_DL 1  // as score/and_count.cpp asks for
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
// Arrays of vectors need a known size

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/junta/promising_juntas.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <hwy/highway.h>

#include <algorithm>

#include "base/dispatch.h"
#include "methods/junta/cell_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fsieve::inline methods::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// sum + weight · max(|lead|, 1) · (size − 1)
HWY_INLINE F AddCell(F weight, I lead, I size, F sum) {
  const Counts ints;
  const Floats floats;
  const I one = hn::Set(ints, 1);
  const F strength = hn::ConvertTo(floats, hn::Max(hn::Abs(lead), one));
  const F others = hn::ConvertTo(floats, hn::Sub(size, one));
  return hn::MulAdd(hn::Mul(strength, others), weight, sum);
}

template <int kBits>
struct JuntaFinder {
  std::size_t operator()(const JuntaPrefix& prefix, float least, std::uint32_t* found) const {
    constexpr std::size_t cells = std::size_t{1} << kBits;
    const Counts ints;
    const Floats floats;
    const std::size_t lanes = hn::Lanes(ints);
    float all_weights = 0;
    for (std::size_t s = 0; s < cells; ++s) all_weights += prefix.weights[s];
    std::size_t count = 0;
    for (std::size_t c = 0; c < prefix.counts.count; c += lanes) {
      I lead[cells];
      I size[cells];
      for (std::size_t s = 0; s < cells; ++s) {
        const I first = LoadCounts(prefix.counts, s, c);
        const I second = LoadCounts(prefix.counts, cells + s, c);
        lead[s] = hn::Sub(second, first);
        size[s] = hn::Add(second, first);
      }
      ToCells<kBits>(lead);
      ToCells<kBits>(size);
      F set = hn::Set(floats, all_weights);
      F clear = set;
      for (std::size_t s = 0; s < cells; ++s) {
        const F weight = hn::Set(floats, prefix.weights[s]);
        set = AddCell(weight, lead[s], size[s], set);
        clear = AddCell(weight, hn::Sub(hn::Set(ints, prefix.lead[s]), lead[s]),
                        hn::Sub(hn::Set(ints, prefix.size[s]), size[s]), clear);
      }
      const F sum = hn::MulAdd(set, hn::LoadU(floats, prefix.set_weights + c),
                               hn::Mul(clear, hn::LoadU(floats, prefix.clear_weights + c)));
      count = Name(sum, least, c, prefix.counts.count, found, count);
    }
    return count;
  }
};

std::size_t FindPromisingJuntas(const JuntaPrefix& prefix, double least, std::uint32_t* found) {
  // All terms are positive, so the relative errors of some forty roundings to 24 bits bound that of
  // the sum.
  const auto lowered = static_cast<float>(std::max(least, -1.0) * (least > 0 ? 1 - 1e-5 : 1.0));
  return FindByBits<JuntaFinder>(prefix.counts.bits, prefix, lowered, found);
}

}  // namespace fsieve::methods::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fsieve::inline methods {

HWY_EXPORT(FindPromisingJuntas);

std::size_t find_promising_juntas(const JuntaPrefix& prefix, double least, std::uint32_t* found) {
  return FSIEVE_DISPATCH(FindPromisingJuntas)(prefix, least, found);
}

}  // namespace fsieve::methods
#endif
