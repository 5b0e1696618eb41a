#include "bits/promising.h"

#define HWY_WANT_AVX3_DL 1  // as and_count.cpp asks for

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bits/promising.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <hwy/highway.h>

#include "base/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace fsieve::inline bits::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Sixteen lanes or fewer, so that reading past the last count stays within what is promised.
using Counts = hn::CappedTag<std::int32_t, 16>;

// From "all of S are set" to "exactly S is set".
template <class D>
HWY_INLINE void ToCells(D tag, int bits, std::int32_t* table) {
  const std::size_t lanes = hn::Lanes(tag);
  for (int bit = 0; bit < bits; ++bit) {
    const std::size_t step = std::size_t{1} << bit;
    for (std::size_t s = 0; s < std::size_t{1} << bits; ++s) {
      if ((s & step) != 0) continue;
      std::int32_t* at = table + s * lanes;
      hn::Store(hn::Sub(hn::Load(tag, at), hn::Load(tag, at + step * lanes)), tag, at);
    }
  }
}

// What the cells of pairs and triples of two classes add up to: the common cases, in registers.
// w, a: n+ − n− of the rows with c, and of all rows, where the first, second … of the prefix are
// set.
template <class D, class I = hn::Vec<D>>
HWY_INLINE I PairSum(D tag, I w0, I w1) {
  const I one = hn::Set(tag, 1);
  return hn::Add(hn::Max(hn::Abs(w1), one), hn::Max(hn::Abs(hn::Sub(w0, w1)), one));
}

template <class D, class I = hn::Vec<D>>
HWY_INLINE I TripleSum(D tag, I w0, I w1, I w2, I w3) {
  return hn::Add(PairSum(tag, hn::Sub(w0, w2), hn::Sub(w1, w3)), PairSum(tag, w2, w3));
}

std::size_t FindPromising(const PrefixCounts& counts, std::int32_t least, std::uint32_t* found) {
  const Counts tag;
  const std::size_t lanes = hn::Lanes(tag);
  const std::size_t subsets = std::size_t{1} << counts.bits;
  // The first half of a table is for rows with c set, the second for rows without.
  HWY_ALIGN std::int32_t table[64 * hn::MaxLanes(tag)];
  HWY_ALIGN std::int32_t largest[64 * hn::MaxLanes(tag)];
  HWY_ALIGN std::int32_t bound[hn::MaxLanes(tag)];
  const auto load = [&](std::size_t k, std::size_t c) HWY_ATTR {
    return hn::LoadU(tag, reinterpret_cast<const std::int32_t*>(counts.with[k]) + c);
  };
  std::size_t size = 0;
  for (std::size_t c = 0; c < counts.count; c += lanes) {
    auto sum = hn::Zero(tag);
    const auto lead = [&](std::size_t s)
                          HWY_ATTR { return hn::Sub(load(subsets + s, c), load(s, c)); };
    const auto all_lead = [&](std::size_t s) HWY_ATTR {
      return hn::Set(tag, static_cast<std::int32_t>(counts.without[subsets + s]) -
                              static_cast<std::int32_t>(counts.without[s]));
    };
    if (counts.classes == 2 && counts.bits == 1) {
      const auto w0 = lead(0), w1 = lead(1);
      sum = hn::Add(PairSum(tag, w0, w1),
                    PairSum(tag, hn::Sub(all_lead(0), w0), hn::Sub(all_lead(1), w1)));
    } else if (counts.classes == 2 && counts.bits == 2) {
      const auto w0 = lead(0), w1 = lead(1), w2 = lead(2), w3 = lead(3);
      sum = hn::Add(TripleSum(tag, w0, w1, w2, w3),
                    TripleSum(tag, hn::Sub(all_lead(0), w0), hn::Sub(all_lead(1), w1),
                              hn::Sub(all_lead(2), w2), hn::Sub(all_lead(3), w3)));
    } else if (counts.classes == 2) {
      for (std::size_t s = 0; s < subsets; ++s) {
        const auto with = lead(s);
        hn::Store(with, tag, table + s * lanes);
        hn::Store(hn::Sub(all_lead(s), with), tag, table + (subsets + s) * lanes);
      }
      ToCells(tag, counts.bits, table);
      ToCells(tag, counts.bits, table + subsets * lanes);
      const auto one = hn::Set(tag, 1);
      for (std::size_t s = 0; s < 2 * subsets; ++s) {
        sum = hn::Add(sum, hn::Max(hn::Abs(hn::Load(tag, table + s * lanes)), one));
      }
    } else {
      for (std::size_t k = 0; k < counts.classes; ++k) {
        for (std::size_t s = 0; s < subsets; ++s) {
          const auto with = load(k * subsets + s, c);
          const auto all = static_cast<std::int32_t>(counts.without[k * subsets + s]);
          hn::Store(with, tag, table + s * lanes);
          hn::Store(hn::Sub(hn::Set(tag, all), with), tag, table + (subsets + s) * lanes);
        }
        ToCells(tag, counts.bits, table);
        ToCells(tag, counts.bits, table + subsets * lanes);
        for (std::size_t s = 0; s < 2 * subsets * lanes; s += lanes) {
          const auto cell = hn::Load(tag, table + s);
          hn::Store(k == 0 ? cell : hn::Max(cell, hn::Load(tag, largest + s)), tag, largest + s);
        }
      }
      for (std::size_t s = 0; s < 2 * subsets; ++s) {
        sum = hn::Add(sum, hn::Load(tag, largest + s * lanes));
      }
    }
    if (hn::AllFalse(tag, hn::Gt(sum, hn::Set(tag, least - 1)))) continue;
    hn::Store(sum, tag, bound);
    for (std::size_t k = 0; k < lanes && c + k < counts.count; ++k) {
      if (bound[k] >= least) found[size++] = static_cast<std::uint32_t>(c + k);
    }
  }
  return size;
}

}  // namespace fsieve::bits::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fsieve::inline bits {

HWY_EXPORT(FindPromising);

std::size_t find_promising(const PrefixCounts& counts, std::int32_t least, std::uint32_t* found) {
  return FSIEVE_DISPATCH(FindPromising)(counts, least, found);
}

}  // namespace fsieve::bits
#endif
