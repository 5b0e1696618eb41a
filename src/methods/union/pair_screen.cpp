#include "methods/union/pair_screen.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/union/pair_screen.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <hwy/highway.h>

#include "base/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace fsieve::inline methods::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Pairs = hn::CappedTag<double, pair_group>;
using Values = hn::Vec<Pairs>;

// Points far outside gain weight in A = Σ w f f': six such steps come near to the smallest
// ellipsoid (twenty let a fifth fewer pairs through, and take longer than these).
constexpr int ellipsoid_steps = 6;
// Fewer than four classes span no volume. Far above rounding errors, far below what matters.
constexpr double ellipsoid_ridge = 1e-9;
// Covers the rounding errors of the ellipsoid and of sums over rows.
constexpr double margin = 1 + 1e-4;
// Rows whose lengths are summed up in single precision.
constexpr std::size_t narrow_rows = 1024;

// What is left of v after 1 and u, and of uv after these, and the coefficients of the classes.
HWY_INLINE void FitFunctions(Pairs tag, const PairMeans& means, std::size_t o, PairFits& fits) {
  const auto one = hn::Set(tag, 1.0);
  auto g = hn::Zero(tag);
  for (std::size_t k = 0; k < means.classes; ++k) {
    g = hn::Add(g, hn::LoadU(tag, means.class_uv + k * means.class_uv_stride + o));
  }
  const auto trivial = hn::Set(tag, surely_trivial);
  const auto not_trivial = hn::Set(tag, surely_not_trivial);
  const auto left2 = hn::NegMulAdd(g, g, one);
  const auto has2 = hn::Gt(left2, trivial);
  const auto r2 = hn::IfThenElseZero(has2, hn::Div(one, hn::Sqrt(left2)));
  const auto a1 = hn::LoadU(tag, means.uuv + o);
  const auto a2 = hn::Mul(hn::NegMulAdd(g, a1, hn::LoadU(tag, means.uvv + o)), r2);
  const auto square = hn::LoadU(tag, means.uuvv + o);
  const auto left3 = hn::NegMulAdd(a2, a2, hn::NegMulAdd(a1, a1, hn::NegMulAdd(g, g, square)));
  const auto has3 = hn::Gt(left3, hn::Mul(trivial, square));
  const auto r3 = hn::IfThenElseZero(has3, hn::Div(one, hn::Sqrt(left3)));
  const auto unsure = hn::Or(hn::And(has2, hn::Lt(left2, not_trivial)),
                             hn::And(has3, hn::Lt(left3, hn::Mul(not_trivial, square))));
  HWY_ALIGN double flags[pair_group];
  hn::Store(hn::IfThenElseZero(unsure, one), tag, flags);
  for (std::size_t k = 0; k < hn::Lanes(tag); ++k) fits.unsure[o + k] = flags[k] != 0;
  hn::StoreU(r2, tag, fits.v[0] + o);
  hn::StoreU(hn::Neg(hn::Mul(g, r2)), tag, fits.v[1] + o);
  hn::StoreU(r3, tag, fits.v[2] + o);
  hn::StoreU(hn::Neg(hn::Mul(hn::Mul(a2, r2), r3)), tag, fits.v[3] + o);
  hn::StoreU(hn::Mul(hn::MulSub(hn::Mul(a2, g), r2, a1), r3), tag, fits.v[4] + o);
  hn::StoreU(hn::Neg(hn::Mul(g, r3)), tag, fits.v[5] + o);
  for (std::size_t k = 0; k < means.classes; ++k) {
    const auto f1 = hn::LoadU(tag, means.class_u + k * means.class_stride + o);
    const auto v = hn::Set(tag, means.class_v[k * means.class_stride]);
    const auto f2 = hn::Mul(hn::NegMulAdd(g, f1, v), r2);
    const auto uv = hn::LoadU(tag, means.class_uv + k * means.class_uv_stride + o);
    const auto centred = hn::NegMulAdd(g, hn::Set(tag, means.share[k]), uv);
    const auto f3 = hn::Mul(hn::NegMulAdd(a2, f2, hn::NegMulAdd(a1, f1, centred)), r3);
    double* f = fits.f.data() + 3 * pair_group * k + o;
    hn::StoreU(f1, tag, f);
    hn::StoreU(f2, tag, f + pair_group);
    hn::StoreU(f3, tag, f + 2 * pair_group);
  }
}

// A small ellipsoid that holds the coefficients. `uv`: the root mean square of the product.
HWY_INLINE void FitEllipsoid(Pairs tag, std::size_t classes, Values uv, std::size_t o,
                             PairFits& fits) {
  const auto zero = hn::Zero(tag);
  const auto one = hn::Set(tag, 1.0);
  // A is symmetric. Its factor L has the rows in the order 3, 2, 1, so that uv is in one of them
  // only, and the diagonal inverted.
  auto a11 = zero, a12 = zero, a13 = zero, a22 = zero, a23 = zero, a33 = zero;
  auto l11 = zero, l12 = zero, l13 = zero, l22 = zero, l23 = zero, l33 = zero;
  auto trace = zero;
  auto farthest = zero;
  const auto inverse_root = [&](Values x) HWY_ATTR { return hn::Div(one, hn::Sqrt(x)); };
  for (int step = 0; step <= ellipsoid_steps; ++step) {
    if (step > 0) {
      trace = hn::Add(a11, hn::Add(a22, a33));
      const auto ridge = hn::MulAdd(hn::Set(tag, ellipsoid_ridge), trace, hn::Set(tag, 1e-280));
      trace = hn::MulAdd(hn::Set(tag, 3.0), ridge, trace);
      l33 = inverse_root(hn::Add(a33, ridge));
      l23 = hn::Mul(a23, l33);
      l13 = hn::Mul(a13, l33);
      l22 = inverse_root(hn::NegMulAdd(l23, l23, hn::Add(a22, ridge)));
      l12 = hn::Mul(hn::NegMulAdd(l13, l23, a12), l22);
      l11 = inverse_root(hn::NegMulAdd(l12, l12, hn::NegMulAdd(l13, l13, hn::Add(a11, ridge))));
      a11 = a12 = a13 = a22 = a23 = a33 = farthest = zero;
    }
    for (std::size_t k = 0; k < classes; ++k) {
      const double* f = fits.f.data() + 3 * pair_group * k + o;
      double* weight = fits.weight.data() + pair_group * k + o;
      const auto f1 = hn::LoadU(tag, f);
      const auto f2 = hn::LoadU(tag, f + pair_group);
      const auto f3 = hn::LoadU(tag, f + 2 * pair_group);
      auto w = one;
      if (step > 0) {
        const auto z3 = hn::Mul(f3, l33);
        const auto z2 = hn::Mul(hn::NegMulAdd(l23, z3, f2), l22);
        const auto z1 = hn::Mul(hn::NegMulAdd(l12, z2, hn::NegMulAdd(l13, z3, f1)), l11);
        const auto outside = hn::MulAdd(z1, z1, hn::MulAdd(z2, z2, hn::Mul(z3, z3)));  // f'A⁻¹f
        farthest = hn::Max(farthest, outside);
        w = hn::Mul(hn::LoadU(tag, weight), outside);
      }
      hn::StoreU(w, tag, weight);
      const auto w1 = hn::Mul(w, f1);
      const auto w2 = hn::Mul(w, f2);
      a11 = hn::MulAdd(w1, f1, a11);
      a12 = hn::MulAdd(w1, f2, a12);
      a13 = hn::MulAdd(w1, f3, a13);
      a22 = hn::MulAdd(w2, f2, a22);
      a23 = hn::MulAdd(w2, f3, a23);
      a33 = hn::MulAdd(hn::Mul(w, f3), f3, a33);
    }
  }
  const auto scale = hn::Mul(hn::Sqrt(farthest), hn::Set(tag, margin));
  hn::StoreU(hn::Mul(scale, hn::Sqrt(trace)), tag, fits.ellipsoid + o);
  // L'ψ on u, v and uv.
  const auto function = [&](int k) HWY_ATTR { return hn::LoadU(tag, fits.v[k] + o); };
  const auto d1 = hn::Div(scale, l11);
  const auto d2 = hn::Div(scale, l22);
  const auto d3 = hn::Div(scale, l33);
  l12 = hn::Mul(l12, scale);
  l13 = hn::Mul(l13, scale);
  l23 = hn::Mul(l23, scale);
  auto rounding = zero;
  const auto put = [&](int k, Values value, Values size) HWY_ATTR {
    HWY_ALIGN double values[pair_group];
    hn::Store(value, tag, values);
    for (std::size_t l = 0; l < hn::Lanes(tag); ++l) {
      fits.k[k][o + l] = static_cast<float>(values[l]);
    }
    rounding = hn::MulAdd(hn::Abs(value), size, rounding);
  };
  put(0, d1, one);
  put(1, hn::Mul(d2, function(0)), one);
  put(2, hn::MulAdd(d2, function(1), l12), one);
  put(3, hn::Mul(d3, function(2)), uv);
  put(4, hn::MulAdd(d3, function(3), hn::Mul(l23, function(0))), one);
  put(5, hn::MulAdd(d3, function(4), hn::MulAdd(l23, function(1), l13)), one);
  put(6, hn::Mul(d3, function(5)), one);
  // Sixteen times the unit roundoff for each term; the columns have mean square 1.
  hn::StoreU(hn::Mul(rounding, hn::Set(tag, 0x1p-20)), tag, fits.rounding + o);
}

void FitPairs(const PairMeans& means, PairFits& fits) {
  const Pairs tag;
  for (std::size_t o = 0; o < pair_group; o += hn::Lanes(tag)) {
    FitFunctions(tag, means, o, fits);
    FitEllipsoid(tag, means.classes, hn::Sqrt(hn::LoadU(tag, means.uuvv + o)), o, fits);
  }
}

void EllipsoidLengths(const NarrowPair& rows, const PairFits& fits, std::size_t pair,
                      double* parts) {
  const hn::CappedTag<float, class_rows_step> tag;
  const auto k0 = hn::Set(tag, fits.k[0][pair]);
  const auto k1 = hn::Set(tag, fits.k[1][pair]);
  const auto k2 = hn::Set(tag, fits.k[2][pair]);
  const auto k3 = hn::Set(tag, fits.k[3][pair]);
  const auto k4 = hn::Set(tag, fits.k[4][pair]);
  const auto k5 = hn::Set(tag, fits.k[5][pair]);
  const auto k6 = hn::Set(tag, fits.k[6][pair]);
  for (std::size_t k = 0; k < rows.classes; ++k) {
    parts[k] = 0;
    for (std::size_t row = rows.first[k]; row < rows.first[k + 1]; row += narrow_rows) {
      const std::size_t end = HWY_MIN(row + narrow_rows, rows.first[k + 1]);
      auto sum = hn::Zero(tag);
      for (std::size_t i = row; i < end; i += hn::Lanes(tag)) {
        const auto u = hn::LoadU(tag, rows.u + i);
        const auto v = hn::LoadU(tag, rows.v + i);
        const auto z1 = hn::Mul(k0, u);
        const auto z2 = hn::MulAdd(k1, v, hn::Mul(k2, u));
        const auto z3 = hn::MulAdd(v, hn::MulAdd(k3, u, k4), hn::MulAdd(k5, u, k6));
        const auto length = hn::Sqrt(hn::MulAdd(z1, z1, hn::MulAdd(z2, z2, hn::Mul(z3, z3))));
        sum = hn::MulAdd(length, hn::LoadU(tag, rows.weight + i), sum);
      }
      parts[k] += static_cast<double>(hn::GetLane(hn::SumOfLanes(tag, sum)));
    }
  }
}

}  // namespace fsieve::methods::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fsieve::inline methods {

HWY_EXPORT(FitPairs);
HWY_EXPORT(EllipsoidLengths);

void fit_pairs(const PairMeans& means, PairFits& fits) { FSIEVE_DISPATCH(FitPairs)(means, fits); }

void ellipsoid_lengths(const NarrowPair& rows, const PairFits& fits, std::size_t pair,
                       double* parts) {
  FSIEVE_DISPATCH(EllipsoidLengths)(rows, fits, pair, parts);
}

}  // namespace fsieve::methods
#endif
