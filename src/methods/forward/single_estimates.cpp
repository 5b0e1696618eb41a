#include "methods/forward/single_estimates.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/forward/single_estimates.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <hwy/highway.h>

#include <limits>

#include "base/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace fsieve::inline methods::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Tag>
double EstimateSome(Tag tag, std::size_t first, std::size_t last, const SingleSums& sums,
                    const SingleTerms& terms, double* gain_of, double* most_of) {
  const auto infinity = hn::Set(tag, std::numeric_limits<double>::infinity());
  const auto weight = hn::Set(tag, terms.weight);
  const auto least = hn::Set(tag, terms.least);
  const auto residual = hn::Set(tag, terms.residual);
  const auto of_root = hn::Set(tag, 2 * terms.rounding * terms.error_grows);
  const auto of_weight = hn::Set(tag, terms.rounding * terms.error_grows);
  const auto of_growth =
      hn::Set(tag, terms.rounding * terms.rounding * terms.total * terms.error_grows);
  auto best = hn::Neg(infinity);
  for (std::size_t c = first; c < last; c += hn::Lanes(tag)) {
    const auto left = hn::LoadU(tag, sums.left + c);
    const auto is_new = hn::Gt(left, least);
    const auto hidden = hn::Le(hn::Abs(hn::Sub(left, least)), hn::Set(tag, terms.off));
    const auto shrunk = hn::IfThenElseZero(is_new, hn::Div(hn::Set(tag, 1.0), left));
    const auto all = hn::Mul(hn::LoadU(tag, sums.squares + c), shrunk);
    const auto growth = hn::Mul(weight, shrunk);
    const auto heavy = hn::Mul(growth, all);
    const auto caught = hn::Min(all, residual);
    const auto gain =
        hn::Sub(caught, hn::Mul(hn::Sub(residual, caught), hn::Set(tag, terms.noise)));
    const auto root = hn::Sqrt(hn::Mul(hn::Set(tag, terms.total), heavy));
    const auto off = hn::Add(hn::Add(hn::Mul(of_root, root), hn::Mul(of_weight, heavy)),
                             hn::Mul(of_growth, growth));
    const auto error =
        hn::Max(off, hn::Add(hn::Set(tag, terms.least_error),
                             hn::Mul(hn::Set(tag, terms.error_of_gain), hn::Abs(gain))));
    const auto told = hn::Or(is_new, hidden);
    hn::StoreU(hn::IfThenElse(told, gain, hn::Neg(infinity)), tag, gain_of + c);
    const auto most = hn::IfThenElse(hidden, infinity, hn::Add(gain, error));
    hn::StoreU(hn::IfThenElse(told, most, hn::Neg(infinity)), tag, most_of + c);
    const auto sure = hn::AndNot(hidden, is_new);
    best = hn::Max(best, hn::IfThenElse(sure, hn::Sub(gain, error), hn::Neg(infinity)));
  }
  return hn::GetLane(hn::MaxOfLanes(tag, best));
}

double EstimateSingles(const SingleSums& sums, const SingleTerms& terms, double* gain,
                       double* most) {
  const hn::ScalableTag<double> tag;
  const std::size_t whole = sums.count - sums.count % hn::Lanes(tag);
  const double best = EstimateSome(tag, 0, whole, sums, terms, gain, most);
  const double rest =
      EstimateSome(hn::CappedTag<double, 1>(), whole, sums.count, sums, terms, gain, most);
  return best > rest ? best : rest;
}

}  // namespace fsieve::methods::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fsieve::inline methods {

HWY_EXPORT(EstimateSingles);

double estimate_singles(const SingleSums& sums, const SingleTerms& terms, double* gain,
                        double* most) {
  return FSIEVE_DISPATCH(EstimateSingles)(sums, terms, gain, most);
}

}  // namespace fsieve::methods
#endif
