#include "methods/forward/column_sweeps.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/forward/column_sweeps.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <hwy/highway.h>

#include <limits>
#include <vector>

#include "base/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace fsieve::inline methods::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Σ_k a[k] b[k] for vectors that lie one after another, taken out of `from`.
template <class Tag, class V>
V WithoutProducts(Tag tag, std::size_t count, const double* a, const double* b, V from) {
  const std::size_t lanes = hn::Lanes(tag);
  for (std::size_t k = 0; k < count; ++k) {
    from = hn::NegMulAdd(hn::LoadU(tag, a + k * lanes), hn::LoadU(tag, b + k * lanes), from);
  }
  return from;
}

// As many columns at a time as there are lanes: each a Cholesky factorisation that skips what is
// not new, as factor_gram does it for one, and what estimated_catch makes of it.
template <class Tag>
double EstimateSome(Tag tag, std::size_t first, std::size_t last, const ColumnSums& sums,
                    const EstimateTerms& terms, double* gain_of, double* most_of) {
  const std::size_t lanes = hn::Lanes(tag);
  const std::size_t functions = sums.functions;
  const std::size_t labels = sums.labels;
  // Rows of the factor, with zeros where a function is skipped; what the orthonormal functions
  // hold of the labels, label by label; the coefficients of the fit; 1 / the factor's diagonal.
  thread_local std::vector<double> scratch;
  scratch.resize(lanes * functions * (functions + 2 * labels + 1));
  double* const factor = scratch.data();
  double* const held = factor + lanes * functions * functions;
  double* const fit = held + lanes * functions * labels;
  double* const inverse = fit + lanes * functions * labels;

  const auto infinity = hn::Set(tag, std::numeric_limits<double>::infinity());
  const auto none = hn::Neg(infinity);
  const auto zero = hn::Zero(tag);
  const auto one = hn::Set(tag, 1.0);
  const auto least = hn::Set(tag, terms.least);
  const auto residual = hn::Set(tag, terms.residual);
  auto best = none;
  for (std::size_t c = first; c < last; c += lanes) {
    auto growth = zero;
    auto rank = zero;
    auto all = zero;
    auto hidden = hn::Lt(zero, zero);
    for (std::size_t i = 0; i < functions; ++i) {
      const double* gram = sums.gram + i * (i + 1) / 2 * sums.stride + c;
      double* const row = factor + i * functions * lanes;
      for (std::size_t j = 0; j < i; ++j) {
        const auto rest = WithoutProducts(tag, j, row, factor + j * functions * lanes,
                                          hn::LoadU(tag, gram + j * sums.stride));
        hn::StoreU(hn::Mul(rest, hn::LoadU(tag, inverse + j * lanes)), tag, row + j * lanes);
      }
      const auto left = WithoutProducts(tag, i, row, row, hn::LoadU(tag, gram + i * sums.stride));
      const auto square = hn::LoadU(tag, sums.squares + i * sums.stride + c);
      const auto off =
          hn::Mul(hn::Mul(hn::Set(tag, 2 * terms.rounding), square), hn::Add(one, growth));
      hidden = hn::Or(hidden, hn::Le(hn::Abs(hn::Sub(left, least)), off));
      const auto is_new = hn::Gt(left, least);
      const auto shrunk = hn::IfThenElseZero(is_new, hn::Div(one, left));
      const auto scale = hn::Sqrt(shrunk);
      hn::StoreU(scale, tag, inverse + i * lanes);
      growth = hn::MulAdd(square, shrunk, growth);
      rank = hn::Add(rank, hn::IfThenElseZero(is_new, one));
      for (std::size_t y = 0; y < labels; ++y) {
        double* const of_label = held + y * functions * lanes;
        const auto rest =
            WithoutProducts(tag, i, row, of_label,
                            hn::LoadU(tag, sums.on_label + (i * labels + y) * sums.stride + c));
        const auto part = hn::Mul(rest, scale);
        hn::StoreU(part, tag, of_label + i * lanes);
        all = hn::MulAdd(part, part, all);
      }
    }

    // Σ |x f|², with the coefficients x from the last function to the first.
    auto weight = zero;
    for (std::size_t i = functions; i-- > 0;) {
      const auto square = hn::LoadU(tag, sums.squares + i * sums.stride + c);
      const auto scale = hn::LoadU(tag, inverse + i * lanes);
      for (std::size_t y = 0; y < labels; ++y) {
        double* const own = fit + y * functions * lanes;
        auto rest = hn::LoadU(tag, held + (y * functions + i) * lanes);
        for (std::size_t k = i + 1; k < functions; ++k) {
          rest = hn::NegMulAdd(hn::LoadU(tag, factor + (k * functions + i) * lanes),
                               hn::LoadU(tag, own + k * lanes), rest);
        }
        const auto x = hn::Mul(rest, scale);
        hn::StoreU(x, tag, own + i * lanes);
        weight = hn::MulAdd(hn::Mul(square, x), x, weight);
      }
    }

    const auto caught = hn::Min(all, residual);
    const auto share = hn::Div(rank, hn::Max(hn::Sub(hn::Set(tag, terms.free), rank), one));
    const auto gain = hn::NegMulAdd(hn::Sub(residual, caught), share, caught);
    const auto root = hn::Sqrt(hn::Mul(hn::Set(tag, terms.total), weight));
    const auto rounding = hn::Set(tag, terms.rounding);
    const auto off =
        hn::Mul(rounding, hn::Add(hn::MulAdd(hn::Set(tag, 2.0), root, weight),
                                  hn::Mul(hn::Set(tag, terms.rounding * terms.total), growth)));
    const auto error = hn::Max(hn::Mul(off, hn::Add(one, share)),
                               hn::MulAdd(hn::Set(tag, terms.error_of_gain), hn::Abs(gain),
                                          hn::Set(tag, terms.least_error)));
    const auto any = hn::Gt(rank, zero);
    const auto told = hn::Or(any, hidden);
    hn::StoreU(hn::IfThenElse(told, gain, none), tag, gain_of + c);
    const auto most = hn::IfThenElse(hidden, infinity, hn::Add(gain, error));
    hn::StoreU(hn::IfThenElse(told, most, none), tag, most_of + c);
    const auto sure = hn::AndNot(hidden, any);
    best = hn::Max(best, hn::IfThenElse(sure, hn::Sub(gain, error), none));
  }
  return hn::GetLane(hn::MaxOfLanes(tag, best));
}

double EstimateColumns(const ColumnSums& sums, const EstimateTerms& terms, std::size_t first,
                       std::size_t last, double* gain, double* most) {
  const hn::ScalableTag<double> tag;
  const std::size_t whole = last - (last - first) % hn::Lanes(tag);
  const double best = EstimateSome(tag, first, whole, sums, terms, gain, most);
  const double rest =
      EstimateSome(hn::CappedTag<double, 1>(), whole, last, sums, terms, gain, most);
  return best > rest ? best : rest;
}

// to −= sums of `lanes` columns, which are in single precision.
template <class Tag, class V>
void SubtractFrom(Tag tag, V sums, double* to) {
  HWY_ALIGN float part[hn::MaxLanes(tag)];
  hn::Store(sums, tag, part);
  for (std::size_t l = 0; l < hn::Lanes(tag); ++l) to[l] -= part[l];
}

// Calls body(tag, c) for columns c, as many at a time as the tag has lanes.
template <class Body>
void ForColumns(std::size_t columns, const Body& body) {
  const hn::ScalableTag<float> tag;
  const std::size_t lanes = hn::Lanes(tag);
  std::size_t c = 0;
  for (; c + lanes <= columns; c += lanes) body(tag, c);
  for (; c < columns; ++c) body(hn::CappedTag<float, 1>(), c);
}

// Two sums, so that one need not wait for the other.
template <class Tag, class Second>
void SubtractSums(Tag tag, std::size_t count, const float* x, std::size_t stride,
                  const Second& second, double* to) {
  auto even = hn::Zero(tag);
  auto odd = hn::Zero(tag);
  std::size_t k = 0;
  for (; k + 2 <= count; k += 2) {
    even = hn::MulAdd(hn::LoadU(tag, x + k * stride), second(tag, k), even);
    odd = hn::MulAdd(hn::LoadU(tag, x + (k + 1) * stride), second(tag, k + 1), odd);
  }
  if (k < count) even = hn::MulAdd(hn::LoadU(tag, x + k * stride), second(tag, k), even);
  SubtractFrom(tag, hn::Add(even, odd), to);
}

void SubtractProducts(std::size_t columns, std::size_t stride, std::size_t count, const float* x,
                      const float* y, double* to) {
  if (count == 0) return;  // of no array
  ForColumns(columns, [&](auto tag, std::size_t c) HWY_ATTR {
    const auto second = [&](auto same, std::size_t k)
                            HWY_ATTR { return hn::LoadU(same, y + k * stride + c); };
    SubtractSums(tag, count, x + c, stride, second, to + c);
  });
}

void SubtractMultiples(std::size_t columns, std::size_t stride, std::size_t count, const float* x,
                       const float* factors, std::size_t step, double* to) {
  if (count == 0) return;  // of no array
  ForColumns(columns, [&](auto tag, std::size_t c) HWY_ATTR {
    const auto second = [&](auto same, std::size_t k)
                            HWY_ATTR { return hn::Set(same, factors[k * step]); };
    SubtractSums(tag, count, x + c, stride, second, to + c);
  });
}

}  // namespace fsieve::methods::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fsieve::inline methods {

HWY_EXPORT(EstimateColumns);
HWY_EXPORT(SubtractProducts);
HWY_EXPORT(SubtractMultiples);

double estimate_columns(const ColumnSums& sums, const EstimateTerms& terms, std::size_t first,
                        std::size_t last, double* gain, double* most) {
  return FSIEVE_DISPATCH(EstimateColumns)(sums, terms, first, last, gain, most);
}

void subtract_products(std::size_t columns, std::size_t stride, std::size_t count, const float* x,
                       const float* y, double* to) {
  FSIEVE_DISPATCH(SubtractProducts)(columns, stride, count, x, y, to);
}

void subtract_multiples(std::size_t columns, std::size_t stride, std::size_t count, const float* x,
                        const float* factors, std::size_t step, double* to) {
  FSIEVE_DISPATCH(SubtractMultiples)(columns, stride, count, x, factors, step, to);
}

}  // namespace fsieve::methods
#endif
