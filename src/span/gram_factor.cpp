#include "span/gram_factor.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "span/gram_factor.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <hwy/highway.h>

#include <cmath>

#include "base/dispatch.h"
#include "base/stop.h"

HWY_BEFORE_NAMESPACE();
namespace fsieve::inline span::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// y -= a x, for arrays that do not overlap: short ones, many times.
void Subtract(std::size_t count, double a, const double* HWY_RESTRICT x, double* HWY_RESTRICT y) {
  const hn::ScalableTag<double> tag;
  const auto times = hn::Set(tag, a);
  const std::size_t lanes = hn::Lanes(tag);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::StoreU(hn::NegMulAdd(times, hn::LoadU(tag, x + i), hn::LoadU(tag, y + i)), tag, y + i);
  }
  // As above, rounded once where that is: which numbers are the last does not matter.
  const hn::CappedTag<double, 1> one;
  for (; i < count; ++i) {
    hn::StoreU(hn::NegMulAdd(hn::Set(one, a), hn::LoadU(one, x + i), hn::LoadU(one, y + i)), one,
               y + i);
  }
}

void Factor(std::size_t count, double* gram, std::size_t ld, double least, std::size_t labels,
            double* on_label, std::vector<std::size_t>& kept) {
  for (std::size_t k = 0; k < count; ++k) {
    if (k % 64 == 63) stop_if_asked();
    double* column = gram + k * ld;
    if (column[k] <= least) continue;
    kept.push_back(k);
    const double scale = 1 / std::sqrt(column[k]);
    for (std::size_t i = k; i < count; ++i) column[i] *= scale;
    double* label = on_label + k * labels;
    for (std::size_t y = 0; y < labels; ++y) label[y] *= scale;
    for (std::size_t j = k + 1; j < count; ++j) {
      Subtract(count - j, column[j], column + j, gram + j * ld + j);
      if (labels > 0) Subtract(labels, column[j], label, on_label + j * labels);
    }
  }
}

}  // namespace fsieve::span::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fsieve::inline span {

HWY_EXPORT(Factor);

void factor_gram(std::size_t count, double* gram, std::size_t ld, double least, std::size_t labels,
                 double* on_label, std::vector<std::size_t>& kept) {
  kept.clear();
  FSIEVE_DISPATCH(Factor)(count, gram, ld, least, labels, on_label, kept);
}

std::vector<std::size_t> factor_gram(std::size_t count, double* gram, std::size_t ld, double least,
                                     std::size_t labels, double* on_label) {
  std::vector<std::size_t> kept;
  factor_gram(count, gram, ld, least, labels, on_label, kept);
  return kept;
}

Explained caught_by(const std::vector<std::size_t>& kept, std::size_t labels,
                    const double* on_label) {
  Explained result;
  for (const std::size_t k : kept) {
    ++result.rank;
    for (std::size_t y = 0; y < labels; ++y) {
      result.caught += on_label[k * labels + y] * on_label[k * labels + y];
    }
  }
  return result;
}

Explained explained_by(std::size_t count, double* gram, std::size_t ld, double least,
                       std::size_t labels, double* on_label) {
  return caught_by(factor_gram(count, gram, ld, least, labels, on_label), labels, on_label);
}

}  // namespace fsieve::span
#endif
