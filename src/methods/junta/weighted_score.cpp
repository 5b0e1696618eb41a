#include "methods/junta/weighted_score.h"

#define HWY_WANT_AVX3_DL 1  // as bits/and_count.cpp asks for
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
// Arrays of vectors need a known size

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/junta/weighted_score.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/dispatch.h"
#include "methods/junta/cell_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fsieve::inline methods::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// What a cell adds to n times the score (`product`: to n² times its part of 1 / P).
struct CellWorth {
  float first, second;                // weights
  float first_others, second_others;  // n times their share among the others
  JuntaMeasure measure;

  HWY_INLINE F operator()(I first_rows, I second_rows) const {
    const Floats floats;
    const F m = hn::ConvertTo(floats, first_rows);
    const F p = hn::ConvertTo(floats, second_rows);
    const F m_weight = hn::Mul(m, hn::Set(floats, first));
    const F p_weight = hn::Mul(p, hn::Set(floats, second));
    const F lead = hn::Sub(p_weight, m_weight);
    const F size = hn::Add(p_weight, m_weight);
    // A difference is wrong by the rounding of its parts: so much more is allowed for.
    const F slack = hn::Mul(size, hn::Set(floats, 1e-6F));
    if (measure == JuntaMeasure::agreement) return hn::Add(hn::Abs(lead), slack);
    const F without_p = hn::Add(hn::Abs(hn::Sub(lead, hn::Set(floats, second))), slack);
    const F without_m = hn::Add(hn::Abs(hn::Add(lead, hn::Set(floats, first))), slack);
    const F sum = hn::MulAdd(hn::Mul(p, hn::Set(floats, second_others)), without_p,
                             hn::Mul(hn::Mul(m, hn::Set(floats, first_others)), without_m));
    if (measure == JuntaMeasure::product) return sum;
    return hn::Div(sum, hn::Max(size, hn::Set(floats, 1e-30F)));
  }
};

template <int kBits>
struct WeightedFinder {
  std::size_t operator()(const WeightedPrefix& prefix, float least, std::uint32_t* found) const {
    constexpr std::size_t cells = std::size_t{1} << kBits;
    const Counts ints;
    const Floats floats;
    const std::size_t lanes = hn::Lanes(ints);
    const auto narrow = [&](double number) { return static_cast<float>(number); };
    const RowWeights& weights = prefix.weights;
    const CellWorth worth{narrow(weights.of(0)), narrow(weights.of(1)),
                          narrow(weights.among_others(0) * prefix.rows),
                          narrow(weights.among_others(1) * prefix.rows), prefix.measure};
    const bool product = prefix.measure == JuntaMeasure::product;
    std::size_t count = 0;
    for (std::size_t c = 0; c < prefix.counts.count; c += lanes) {
      I first[cells];
      I second[cells];
      for (std::size_t s = 0; s < cells; ++s) {
        first[s] = LoadCounts(prefix.counts, s, c);
        second[s] = LoadCounts(prefix.counts, cells + s, c);
      }
      ToCells<kBits>(first);
      ToCells<kBits>(second);
      F set = hn::Zero(floats);
      F clear = hn::Zero(floats);
      for (std::size_t s = 0; s < cells; ++s) {
        const F weight = hn::Set(floats, product ? prefix.cell_weights[s] : 1.0F);
        const I first_clear = hn::Sub(hn::Set(ints, prefix.cells[s]), first[s]);
        const I second_clear = hn::Sub(hn::Set(ints, prefix.cells[cells + s]), second[s]);
        set = hn::MulAdd(worth(first[s], second[s]), weight, set);
        clear = hn::MulAdd(worth(first_clear, second_clear), weight, clear);
      }
      const F sum = product
                        ? hn::MulAdd(set, hn::LoadU(floats, prefix.set_weights + c),
                                     hn::Mul(clear, hn::LoadU(floats, prefix.clear_weights + c)))
                        : hn::Add(set, clear);
      count = Name(sum, least, c, prefix.counts.count, found, count);
    }
    return count;
  }
};

std::size_t FindPromisingWeighted(const WeightedPrefix& prefix, double threshold,
                                  std::uint32_t* found) {
  const double unit =
      prefix.measure == JuntaMeasure::product ? prefix.rows * prefix.rows : prefix.rows;
  // All terms are positive, so the relative errors of some forty roundings bound that of the sum.
  const auto least = static_cast<float>(std::max(threshold * unit, -1.0) * (1 - 1e-5));
  return FindByBits<WeightedFinder>(prefix.counts.bits, prefix, least, found);
}

}  // namespace fsieve::methods::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fsieve::inline methods {

HWY_EXPORT(FindPromisingWeighted);

std::size_t find_promising_weighted(const WeightedPrefix& prefix, double threshold,
                                    std::uint32_t* found) {
  // A row that counts as much as all others together: n − w has too few digits in single precision.
  const double largest = std::max(prefix.weights.of(0), prefix.weights.of(1));
  if (largest <= prefix.rows / 2 * (1 + 1e-9)) {
    return FSIEVE_DISPATCH(FindPromisingWeighted)(prefix, threshold, found);
  }
  std::iota(found, found + prefix.counts.count, 0U);
  return prefix.counts.count;
}

void WeightedSum::add(std::int64_t first, std::int64_t second, double weight) {
  if (first == 0 && second == 0) return;
  const double lead = weights_.lead(first, second);
  if (measure_ == JuntaMeasure::agreement) {
    sum_ += std::abs(lead);
    return;
  }
  const double worth =
      rows_ *
      (static_cast<double>(second) * weights_.among_others(1) * std::abs(lead - weights_.of(1)) +
       static_cast<double>(first) * weights_.among_others(0) * std::abs(lead + weights_.of(0)));
  sum_ += measure_ == JuntaMeasure::product ? worth * weight / rows_
                                            : worth / weights_.size(first, second);
}

}  // namespace fsieve::methods
#endif
