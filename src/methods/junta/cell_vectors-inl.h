// Counts of many subsets as vectors, made anew for every instruction set (Highway's way: no guard
// of the common kind, since it is included once for each).
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "bits/prefix_counts.h"

#if defined(FSIEVE_CELL_VECTORS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef FSIEVE_CELL_VECTORS_INL_H
#undef FSIEVE_CELL_VECTORS_INL_H
#else
#define FSIEVE_CELL_VECTORS_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace fsieve::inline methods::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Sixteen lanes or fewer, so that reading past the last count stays within what is promised.
using Counts = hn::CappedTag<std::int32_t, 16>;
using Floats = hn::Rebind<float, Counts>;
using I = hn::Vec<Counts>;
using F = hn::Vec<Floats>;

// Counts k of the subsets from c on.
HWY_INLINE I LoadCounts(const PrefixCounts& counts, std::size_t k, std::size_t c) {
  return hn::LoadU(Counts(), reinterpret_cast<const std::int32_t*>(counts.with[k]) + c);
}

// From "all of S are set" to "exactly S is set", in registers for the common sizes.
template <int kBits>
HWY_INLINE void ToCells(I* table) {
  for (int bit = 0; bit < kBits; ++bit) {
    const std::size_t step = std::size_t{1} << bit;
    for (std::size_t s = 0; s < std::size_t{1} << kBits; ++s) {
      if ((s & step) == 0) table[s] = hn::Sub(table[s], table[s + step]);
    }
  }
}

// Names the subsets whose sums, those of the lanes from c on, are `least` or more; how many there
// are then.
HWY_INLINE std::size_t Name(F sums, float least, std::size_t c, std::size_t end,
                            std::uint32_t* found, std::size_t count) {
  const Floats floats;
  if (hn::AllFalse(floats, hn::Ge(sums, hn::Set(floats, least)))) return count;
  HWY_ALIGN float sum[hn::MaxLanes(floats)];
  hn::Store(sums, floats, sum);
  for (std::size_t k = 0; k < hn::Lanes(floats) && c + k < end; ++k) {
    if (sum[k] >= least) found[count++] = static_cast<std::uint32_t>(c + k);
  }
  return count;
}

// Finder<bits>()(arguments…): a prefix of up to five features.
template <template <int> class Finder, class... Arguments>
std::size_t FindByBits(int bits, const Arguments&... arguments) {
  switch (bits) {
    case 0:
      return Finder<0>()(arguments...);
    case 1:
      return Finder<1>()(arguments...);
    case 2:
      return Finder<2>()(arguments...);
    case 3:
      return Finder<3>()(arguments...);
    case 4:
      return Finder<4>()(arguments...);
    default:
      return Finder<5>()(arguments...);
  }
}

}  // namespace fsieve::methods::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
