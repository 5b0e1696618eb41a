#include "bits/promising.h"

#define HWY_WANT_AVX3_DL 1  // as and_count.cpp asks for
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
// Arrays of vectors need a known size

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bits/promising.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <hwy/highway.h>

#include <cstdlib>
#include <limits>

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

// Numbers of all subsets of a few features, vectors or not: from "all of S" to "exactly S".
template <int kBits, class Number, class Less>
HWY_INLINE void ExactlyS(Number* of, const Less& less) {
  for (std::size_t step = 1; step < std::size_t{1} << kBits; step *= 2) {
    for (std::size_t s = 0; s < std::size_t{1} << kBits; ++s) {
      if ((s & step) == 0) of[s] = less(of[s], of[s + step]);
    }
  }
}

// The subsets of a block of prefixes, looked at a vector of c and all b at a time. Of a cell of the
// prefix, whose lead A is known, the rows with c lead by l: these and those without c add up to
// |l| + |A − l| = max(|A|, |A − 2 l|). Only where that and one for every cell, in place of those
// that are 0, reaches `least`, subsets are looked at one b at a time.
template <int kBits>
class BlockFinder {
 public:
  BlockFinder(const PrefixLeadBlock& leads, std::int32_t least, PromisingPair* found)
      : leads_(leads), least_(least), found_(found) {
    for (std::size_t i = 0; i < Height(); ++i) {
      std::int32_t with_b[kHalf];
      std::int32_t without_b[kHalf];
      for (std::size_t s = 0; s < kHalf; ++s) {
        with_b[s] = leads.without_b[i * kHalf + s];
        without_b[s] = leads.without[s] - with_b[s];
      }
      const auto less = [](std::int32_t x, std::int32_t y) { return x - y; };
      ExactlyS<kBits - 1>(with_b, less);
      ExactlyS<kBits - 1>(without_b, less);
      for (std::size_t s = 0; s < kHalf; ++s) {
        all_[i][2 * s] = without_b[s];
        all_[i][2 * s + 1] = with_b[s];
      }
      for (std::size_t s = 0; s < 2 * kHalf; ++s) size_[i][s] = std::abs(all_[i][s]);
    }
  }

  std::size_t Find() {
    const Counts tag;
    const auto below = hn::Set(tag, least_ - 1 - 4 * static_cast<std::int32_t>(kHalf));
    for (std::size_t c = 0; c + 1 < leads_.b1; c += hn::Lanes(tag)) {
      hn::Vec<Counts> with[kHalf];
      for (std::size_t s = 0; s < kHalf; ++s) with[s] = hn::LoadU(tag, leads_.with[s] + c);
      const auto less = [](auto x, auto y) HWY_ATTR { return hn::Sub(x, y); };
      ExactlyS<kBits - 1>(with, less);
      auto most = below;
      for (std::size_t i = 0; i < Height(); ++i) {
        hn::Vec<Counts> with_b[kHalf];
        for (std::size_t s = 0; s < kHalf; ++s) {
          with_b[s] = hn::LoadU(tag, leads_.with_b[i * kHalf + s] + c);
        }
        ExactlyS<kBits - 1>(with_b, less);
        auto sum = hn::Zero(tag);
        for (std::size_t s = 0; s < kHalf; ++s) {
          sum = hn::Add(sum, BothSides(hn::Sub(with[s], with_b[s]), i, 2 * s));
          sum = hn::Add(sum, BothSides(with_b[s], i, 2 * s + 1));
        }
        if (c + hn::Lanes(tag) > leads_.b0) sum = OnlyBelow(leads_.b0 + i, c, sum);
        most = hn::Max(most, sum);
      }
      if (!hn::AllFalse(tag, hn::Gt(most, below))) LookCloser(c);
    }
    return size_found_;
  }

 private:
  static constexpr std::size_t kHalf = std::size_t{1} << (kBits - 1);
  static constexpr std::size_t kMostHeight = 8;

  [[nodiscard]] std::size_t Height() const { return leads_.b1 - leads_.b0; }

  // The leads of a cell's rows with c and without, by those with c.
  HWY_INLINE hn::Vec<Counts> BothSides(hn::Vec<Counts> lead, std::size_t i, std::size_t s) const {
    const Counts tag;
    const auto apart = hn::Sub(hn::Add(lead, lead), hn::Set(tag, all_[i][s]));
    return hn::Max(hn::Abs(apart), hn::Set(tag, size_[i][s]));
  }

  // The sums of the c below b.
  HWY_INLINE hn::Vec<Counts> OnlyBelow(std::size_t b, std::size_t c, hn::Vec<Counts> sums) const {
    const Counts tag;
    const auto none = hn::Set(tag, std::numeric_limits<std::int32_t>::min());
    return hn::IfThenElse(hn::FirstN(tag, b > c ? b - c : 0), sums, none);
  }

  void LookCloser(std::size_t c) {
    const Counts tag;
    const std::int32_t* with[2 * kHalf];
    std::int32_t without[2 * kHalf];
    for (std::size_t i = 0; i < Height(); ++i) {
      const std::size_t b = leads_.b0 + i;
      if (c >= b) continue;
      for (std::size_t s = 0; s < kHalf; ++s) {
        with[2 * s] = leads_.with[s];
        without[2 * s] = leads_.without[s];
        with[2 * s + 1] = leads_.with_b[i * kHalf + s];
        without[2 * s + 1] = leads_.without_b[i * kHalf + s];
      }
      const PrefixLeads of_b{kBits, with, without, b};
      const auto sum = LeadSum<kBits>()(KnownLeads{of_b}, kBits, c);
      std::uint32_t named[hn::MaxLanes(tag)];
      const std::size_t count = NamePromising(tag, sum, least_, c, b, named, 0);
      for (std::size_t k = 0; k < count; ++k) {
        found_[size_found_++] = {static_cast<std::uint32_t>(b), named[k]};
      }
    }
  }

  const PrefixLeadBlock& leads_;
  std::int32_t least_;
  PromisingPair* found_;
  std::size_t size_found_ = 0;
  // Of every prefix and its cells: the lead of all rows, and its absolute value.
  std::int32_t all_[kMostHeight][2 * kHalf];
  std::int32_t size_[kMostHeight][2 * kHalf];
};

std::size_t FindPromisingBlock(const PrefixLeadBlock& leads, std::int32_t least,
                               PromisingPair* found) {
  if (leads.bits == 2) return BlockFinder<2>(leads, least, found).Find();
  if (leads.bits == 3) return BlockFinder<3>(leads, least, found).Find();
  if (leads.bits == 4) return BlockFinder<4>(leads, least, found).Find();
  return BlockFinder<5>(leads, least, found).Find();
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
HWY_EXPORT(FindPromisingBlock);

std::size_t find_promising(const PrefixCounts& counts, std::int32_t least, std::uint32_t* found) {
  return FSIEVE_DISPATCH(FindPromising)(counts, least, found);
}

std::size_t find_promising(const PrefixLeadBlock& leads, std::int32_t least, PromisingPair* found) {
  return FSIEVE_DISPATCH(FindPromisingBlock)(leads, least, found);
}

}  // namespace fsieve::bits
#endif
