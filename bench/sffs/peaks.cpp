#include "sffs/peaks.h"

#define HWY_WANT_AVX3_DL 1
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sffs/peaks.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <hwy/highway.h>

// The compiler must not see that a value does not change.
#undef FSIEVE_CHANGED
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
#define FSIEVE_CHANGED(v) asm volatile("" : "+v"((v).raw))
#else
#define FSIEVE_CHANGED(v) asm volatile("" : "+m"(v))
#endif

HWY_BEFORE_NAMESPACE();
namespace fsieve::bench {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

double CountInRegisters(std::size_t rounds) {
  const hn::ScalableTag<std::uint64_t> tag;
  auto v = hn::Set(tag, 0x5555ULL);
  auto s0 = hn::Zero(tag), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  for (std::size_t k = 0; k < rounds; ++k) {
#define FSIEVE_STEP(s) \
  FSIEVE_CHANGED(v);   \
  s = hn::Add(s, hn::PopulationCount(v));
    FSIEVE_STEP(s0)
    FSIEVE_STEP(s1)
    FSIEVE_STEP(s2) FSIEVE_STEP(s3) FSIEVE_STEP(s4) FSIEVE_STEP(s5) FSIEVE_STEP(s6) FSIEVE_STEP(s7)
#undef FSIEVE_STEP
  }
  auto sum =
      hn::Add(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)), hn::Add(hn::Add(s4, s5), hn::Add(s6, s7)));
  FSIEVE_CHANGED(sum);
  return static_cast<double>(rounds) * 8 * static_cast<double>(hn::Lanes(tag));
}

// One operand in a register, the other one in the first cache: what counting pairs cannot beat.
double CountInCache(std::size_t rounds) {
  const hn::ScalableTag<std::uint64_t> tag;
  const std::size_t lanes = hn::Lanes(tag);
  HWY_ALIGN std::uint64_t words[64 * hn::MaxLanes(tag)];
  for (std::size_t k = 0; k < 64 * lanes; ++k) words[k] = 0x5555ULL * k;
  auto v = hn::Set(tag, 0x7777ULL);
  auto s0 = hn::Zero(tag), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  for (std::size_t k = 0; k < rounds; ++k) {
    const std::uint64_t* from = words + k % 8 * 8 * lanes;
    FSIEVE_CHANGED(v);
#define FSIEVE_STEP(s, at) \
  s = hn::Add(s, hn::PopulationCount(hn::And(v, hn::Load(tag, from + (at)*lanes))));
    FSIEVE_STEP(s0, 0)
    FSIEVE_STEP(s1, 1)
    FSIEVE_STEP(s2, 2)
    FSIEVE_STEP(s3, 3)
    FSIEVE_STEP(s4, 4)
    FSIEVE_STEP(s5, 5)
    FSIEVE_STEP(s6, 6)
    FSIEVE_STEP(s7, 7)
#undef FSIEVE_STEP
  }
  auto sum =
      hn::Add(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)), hn::Add(hn::Add(s4, s5), hn::Add(s6, s7)));
  FSIEVE_CHANGED(sum);
  return static_cast<double>(rounds) * 8 * static_cast<double>(lanes);
}

double OnlyCountInRegisters(std::size_t rounds) {
  const hn::ScalableTag<std::uint64_t> tag;
  auto v = hn::Set(tag, 0x5555ULL);
  for (std::size_t k = 0; k < rounds; ++k) {
    for (int step = 0; step < 8; ++step) {
      FSIEVE_CHANGED(v);
      auto count = hn::PopulationCount(v);
      FSIEVE_CHANGED(count);
    }
  }
  return static_cast<double>(rounds) * 8 * static_cast<double>(hn::Lanes(tag));
}

double MultiplyInRegisters(std::size_t rounds) {
  const hn::ScalableTag<double> tag;
  auto a = hn::Set(tag, 1e-9);
  auto s0 = hn::Zero(tag), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  auto t0 = s0, t1 = s0, t2 = s0, t3 = s0;
  for (std::size_t k = 0; k < rounds; ++k) {
    FSIEVE_CHANGED(a);
    s0 = hn::MulAdd(a, a, s0), s1 = hn::MulAdd(a, a, s1), s2 = hn::MulAdd(a, a, s2);
    s3 = hn::MulAdd(a, a, s3), s4 = hn::MulAdd(a, a, s4), s5 = hn::MulAdd(a, a, s5);
    s6 = hn::MulAdd(a, a, s6), s7 = hn::MulAdd(a, a, s7), t0 = hn::MulAdd(a, a, t0);
    t1 = hn::MulAdd(a, a, t1), t2 = hn::MulAdd(a, a, t2), t3 = hn::MulAdd(a, a, t3);
    FSIEVE_CHANGED(s0);
    FSIEVE_CHANGED(s1);
    FSIEVE_CHANGED(s2);
    FSIEVE_CHANGED(s3);
    FSIEVE_CHANGED(s4);
    FSIEVE_CHANGED(s5);
    FSIEVE_CHANGED(s6);
    FSIEVE_CHANGED(s7);
    FSIEVE_CHANGED(t0);
    FSIEVE_CHANGED(t1);
    FSIEVE_CHANGED(t2);
    FSIEVE_CHANGED(t3);
  }
  return static_cast<double>(rounds) * 12 * static_cast<double>(hn::Lanes(tag));
}

}  // namespace HWY_NAMESPACE
}  // namespace fsieve::bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fsieve::bench {

HWY_EXPORT(CountInRegisters);
HWY_EXPORT(CountInCache);
HWY_EXPORT(OnlyCountInRegisters);
HWY_EXPORT(MultiplyInRegisters);

double count_in_registers(std::size_t rounds) {
  return HWY_DYNAMIC_DISPATCH(CountInRegisters)(rounds);
}

double count_in_cache(std::size_t rounds) { return HWY_DYNAMIC_DISPATCH(CountInCache)(rounds); }

double only_count_in_registers(std::size_t rounds) {
  return HWY_DYNAMIC_DISPATCH(OnlyCountInRegisters)(rounds);
}

double multiply_in_registers(std::size_t rounds) {
  return HWY_DYNAMIC_DISPATCH(MultiplyInRegisters)(rounds);
}

}  // namespace fsieve::bench
#endif
