#include "bits/value_bits.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bits/value_bits.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <hwy/highway.h>

#include <bit>
#include <cstring>

#include "base/dispatch.h"

#if HWY_ARCH_X86_64
#include <immintrin.h>
#endif

HWY_BEFORE_NAMESPACE();
namespace fsieve::inline bits::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Numbers = hn::CappedTag<double, 8>;

// Bit i: is number i such a one? Of up to 64.
template <class Is>
HWY_INLINE std::uint64_t PackWord(const double* from, std::size_t count, const Is& is) {
  const Numbers tag;
  const std::size_t lanes = hn::Lanes(tag);
  std::uint64_t word = 0;
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(tag, is(hn::LoadU(tag, from + i), tag), bits);
    word |= std::uint64_t{bits[0]} << i;
  }
  const hn::CappedTag<double, 1> single;
  for (; i < count; ++i) {
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(single, is(hn::LoadU(single, from + i), single), bits);
    word |= std::uint64_t{bits[0]} << i;
  }
  return word;
}

template <class Is>
HWY_INLINE void Pack(std::span<const double> numbers, std::uint64_t* words, const Is& is) {
  for (std::size_t first = 0; first < numbers.size(); first += 64) {
    words[first / 64] =
        PackWord(numbers.data() + first, std::min<std::size_t>(64, numbers.size() - first), is);
  }
}

std::array<std::uint64_t, 2> CountEqual(std::span<const double> numbers, double first,
                                        double second, std::uint64_t* words) {
  const auto equal = [](double mark) HWY_ATTR {
    return [mark](auto x, auto tag) HWY_ATTR { return hn::Eq(x, hn::Set(tag, mark)); };
  };
  std::array<std::uint64_t, 2> sums{};
  for (std::size_t i = 0; i < numbers.size(); i += 64) {
    const double* from = numbers.data() + i;
    const std::size_t count = std::min<std::size_t>(64, numbers.size() - i);
    words[i / 64] = PackWord(from, count, equal(second));
    sums[0] += static_cast<std::uint64_t>(std::popcount(PackWord(from, count, equal(first))));
    sums[1] += static_cast<std::uint64_t>(std::popcount(words[i / 64]));
  }
  return sums;
}

void PackAbove(std::span<const double> numbers, double mark, std::uint64_t* words) {
  Pack(numbers, words, [&](auto x, auto tag) HWY_ATTR { return hn::Gt(x, hn::Set(tag, mark)); });
}

void PackEqual(std::span<const double> numbers, double mark, std::uint64_t* words) {
  Pack(numbers, words, [&](auto x, auto tag) HWY_ATTR { return hn::Eq(x, hn::Set(tag, mark)); });
}

void GatherBits(std::span<const std::uint64_t> words, std::span<const std::uint64_t> masks,
                std::uint64_t* gathered) {
  for (std::size_t w = 0; w < words.size(); ++w) {
#if HWY_ARCH_X86_64 && HWY_TARGET <= HWY_AVX2
    gathered[w] = _pext_u64(words[w], masks[w]);
#else
    std::uint64_t bits = 0;
    int place = 0;
    for (std::uint64_t mask = masks[w]; mask != 0; mask &= mask - 1) {
      bits |= (words[w] >> std::countr_zero(mask) & 1U) << place++;
    }
    gathered[w] = bits;
#endif
  }
}

}  // namespace fsieve::bits::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fsieve::inline bits {

HWY_EXPORT(CountEqual);
HWY_EXPORT(PackAbove);
HWY_EXPORT(PackEqual);
HWY_EXPORT(GatherBits);

std::array<std::uint64_t, 2> count_equal(std::span<const double> numbers, double first,
                                         double second, std::uint64_t* words) {
  return FSIEVE_DISPATCH(CountEqual)(numbers, first, second, words);
}

void pack_above(std::span<const double> numbers, double mark, std::uint64_t* words) {
  FSIEVE_DISPATCH(PackAbove)(numbers, mark, words);
}

void pack_equal(std::span<const double> numbers, double mark, std::uint64_t* words) {
  FSIEVE_DISPATCH(PackEqual)(numbers, mark, words);
}

void gather_bits(std::span<const std::uint64_t> words, std::span<const std::uint64_t> masks,
                 std::uint64_t* gathered) {
  FSIEVE_DISPATCH(GatherBits)(words, masks, gathered);
}

}  // namespace fsieve::bits
#endif
