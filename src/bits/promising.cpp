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

template <class D, class I = hn::Vec<D>>
HWY_INLINE I QuadrupleSum(D tag, I w0, I w1, I w2, I w3, I w4, I w5, I w6, I w7) {
  return hn::Add(TripleSum(tag, hn::Sub(w0, w4), hn::Sub(w1, w5), hn::Sub(w2, w6), hn::Sub(w3, w7)),
                 TripleSum(tag, w4, w5, w6, w7));
}

// Names the subsets of the lanes from c on whose sum is `least` or more; how many there are then.
template <class D>
HWY_INLINE std::size_t NamePromising(D tag, hn::Vec<D> sum, std::int32_t least, std::size_t c,
                                     std::size_t end, std::uint32_t* found, std::size_t size) {
  if (hn::AllFalse(tag, hn::Gt(sum, hn::Set(tag, least - 1)))) return size;
  HWY_ALIGN std::int32_t bound[hn::MaxLanes(tag)];
  hn::Store(sum, tag, bound);
  for (std::size_t k = 0; k < hn::Lanes(tag) && c + k < end; ++k) {
    if (bound[k] >= least) found[size++] = static_cast<std::uint32_t>(c + k);
  }
  return size;
}

// The leads of two classes, from their counts or known as such.
struct CountedLeads {
  const PrefixCounts& counts;
  std::size_t subsets = std::size_t{1} << counts.bits;

  HWY_INLINE hn::Vec<Counts> With(std::size_t s, std::size_t c) const {
    const auto load = [&](std::size_t k) HWY_ATTR {
      return hn::LoadU(Counts(), reinterpret_cast<const std::int32_t*>(counts.with[k]) + c);
    };
    return hn::Sub(load(subsets + s), load(s));
  }
  HWY_INLINE hn::Vec<Counts> All(std::size_t s) const {
    return hn::Set(Counts(), static_cast<std::int32_t>(counts.without[subsets + s]) -
                                 static_cast<std::int32_t>(counts.without[s]));
  }
};

struct KnownLeads {
  const PrefixLeads& leads;

  HWY_INLINE hn::Vec<Counts> With(std::size_t s, std::size_t c) const {
    return hn::LoadU(Counts(), leads.with[s] + c);
  }
  HWY_INLINE hn::Vec<Counts> All(std::size_t s) const {
    return hn::Set(Counts(), leads.without[s]);
  }
};

// The sum of all cells' leads of the subsets from c on: kBits features beside c.
template <int kBits>
struct LeadSum {
  template <class Leads>
  HWY_INLINE hn::Vec<Counts> operator()(const Leads& leads, int bits, std::size_t c) const {
    const Counts tag;
    if constexpr (kBits == 1) {
      const auto w0 = leads.With(0, c), w1 = leads.With(1, c);
      return hn::Add(PairSum(tag, w0, w1),
                     PairSum(tag, hn::Sub(leads.All(0), w0), hn::Sub(leads.All(1), w1)));
    } else if constexpr (kBits == 2) {
      const auto w0 = leads.With(0, c), w1 = leads.With(1, c);
      const auto w2 = leads.With(2, c), w3 = leads.With(3, c);
      return hn::Add(TripleSum(tag, w0, w1, w2, w3),
                     TripleSum(tag, hn::Sub(leads.All(0), w0), hn::Sub(leads.All(1), w1),
                               hn::Sub(leads.All(2), w2), hn::Sub(leads.All(3), w3)));
    } else if constexpr (kBits == 3) {
      const auto w0 = leads.With(0, c), w1 = leads.With(1, c);
      const auto w2 = leads.With(2, c), w3 = leads.With(3, c);
      const auto w4 = leads.With(4, c), w5 = leads.With(5, c);
      const auto w6 = leads.With(6, c), w7 = leads.With(7, c);
      return hn::Add(QuadrupleSum(tag, w0, w1, w2, w3, w4, w5, w6, w7),
                     QuadrupleSum(tag, hn::Sub(leads.All(0), w0), hn::Sub(leads.All(1), w1),
                                  hn::Sub(leads.All(2), w2), hn::Sub(leads.All(3), w3),
                                  hn::Sub(leads.All(4), w4), hn::Sub(leads.All(5), w5),
                                  hn::Sub(leads.All(6), w6), hn::Sub(leads.All(7), w7)));
    } else {
      const std::size_t lanes = hn::Lanes(tag);
      const std::size_t subsets = std::size_t{1} << bits;
      // The first half of a table is for rows with c set, the second for rows without.
      HWY_ALIGN std::int32_t table[64 * hn::MaxLanes(tag)];
      for (std::size_t s = 0; s < subsets; ++s) {
        const auto with = leads.With(s, c);
        hn::Store(with, tag, table + s * lanes);
        hn::Store(hn::Sub(leads.All(s), with), tag, table + (subsets + s) * lanes);
      }
      ToCells(tag, bits, table);
      ToCells(tag, bits, table + subsets * lanes);
      const auto one = hn::Set(tag, 1);
      auto sum = hn::Zero(tag);
      for (std::size_t s = 0; s < 2 * subsets; ++s) {
        sum = hn::Add(sum, hn::Max(hn::Abs(hn::Load(tag, table + s * lanes)), one));
      }
      return sum;
    }
  }
};

template <int kBits, class Leads>
std::size_t FindByLeads(const Leads& leads, int bits, std::size_t count, std::int32_t least,
                        std::uint32_t* found) {
  const Counts tag;
  std::size_t size = 0;
  for (std::size_t c = 0; c < count; c += hn::Lanes(tag)) {
    size = NamePromising(tag, LeadSum<kBits>()(leads, bits, c), least, c, count, found, size);
  }
  return size;
}

template <class Leads>
std::size_t FindByLeads(const Leads& leads, int bits, std::size_t count, std::int32_t least,
                        std::uint32_t* found) {
  if (bits == 1) return FindByLeads<1>(leads, bits, count, least, found);
  if (bits == 2) return FindByLeads<2>(leads, bits, count, least, found);
  if (bits == 3) return FindByLeads<3>(leads, bits, count, least, found);
  return FindByLeads<0>(leads, bits, count, least, found);
}

std::size_t FindPromisingLeads(const PrefixLeads& leads, std::int32_t least, std::uint32_t* found) {
  return FindByLeads(KnownLeads{leads}, leads.bits, leads.count, least, found);
}

std::size_t FindPromising(const PrefixCounts& counts, std::int32_t least, std::uint32_t* found) {
  if (counts.classes == 2) {
    return FindByLeads(CountedLeads{counts}, counts.bits, counts.count, least, found);
  }
  const Counts tag;
  const std::size_t lanes = hn::Lanes(tag);
  const std::size_t subsets = std::size_t{1} << counts.bits;
  // The first half of a table is for rows with c set, the second for rows without.
  HWY_ALIGN std::int32_t table[64 * hn::MaxLanes(tag)];
  HWY_ALIGN std::int32_t largest[64 * hn::MaxLanes(tag)];
  std::size_t size = 0;
  for (std::size_t c = 0; c < counts.count; c += lanes) {
    for (std::size_t k = 0; k < counts.classes; ++k) {
      for (std::size_t s = 0; s < subsets; ++s) {
        const std::size_t at = k * subsets + s;
        const auto with =
            hn::LoadU(tag, reinterpret_cast<const std::int32_t*>(counts.with[at]) + c);
        const auto all = static_cast<std::int32_t>(counts.without[at]);
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
    auto sum = hn::Zero(tag);
    for (std::size_t s = 0; s < 2 * subsets; ++s) {
      sum = hn::Add(sum, hn::Load(tag, largest + s * lanes));
    }
    size = NamePromising(tag, sum, least, c, counts.count, found, size);
  }
  return size;
}

}  // namespace fsieve::bits::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fsieve::inline bits {

HWY_EXPORT(FindPromising);
HWY_EXPORT(FindPromisingLeads);

std::size_t find_promising(const PrefixCounts& counts, std::int32_t least, std::uint32_t* found) {
  return FSIEVE_DISPATCH(FindPromising)(counts, least, found);
}

std::size_t find_promising(const PrefixLeads& leads, std::int32_t least, std::uint32_t* found) {
  return FSIEVE_DISPATCH(FindPromisingLeads)(leads, least, found);
}

}  // namespace fsieve::bits
#endif
