// Counts of many subsets as vectors, made anew for every instruction set (Highway's way: no guard
// of the common kind, since it is included once for each).
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

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

}  // namespace fsieve::methods::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
