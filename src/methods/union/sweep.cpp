#include "methods/union/sweep.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/union/sweep.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <hwy/highway.h>

#include <cmath>

#include "base/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace fsieve::inline methods::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The products of one vector of rows, by mask, each `lanes` numbers.
template <int kFeatures, class D>
HWY_INLINE void Products(D tag, const SweepSubset& subset, std::size_t i, double* out) {
  const std::size_t lanes = hn::Lanes(tag);
  const std::size_t count = std::size_t{1} << kFeatures;
  const auto c = hn::LoadU(tag, subset.c + i);
  hn::Store(hn::Set(tag, 1.0), tag, out);
  hn::Store(c, tag, out + lanes);
  const auto b = hn::LoadU(tag, subset.b + i);
  const auto bc = hn::Mul(b, c);
  hn::Store(b, tag, out + 2 * lanes);
  hn::Store(bc, tag, out + 3 * lanes);
  for (std::size_t k = 4; k < count; k += 4) {
    const auto q = hn::LoadU(tag, subset.outer[k / 4] + i);
    hn::Store(q, tag, out + k * lanes);
    hn::Store(hn::Mul(q, c), tag, out + (k + 1) * lanes);
    hn::Store(hn::Mul(q, b), tag, out + (k + 2) * lanes);
    hn::Store(hn::Mul(q, bc), tag, out + (k + 3) * lanes);
  }
}

// The functions from the products, in place: the last first, since each needs the ones before it.
template <int kFeatures, class D>
HWY_INLINE void Transform(D tag, const SweepSubset& subset, double* values) {
  const std::size_t lanes = hn::Lanes(tag);
  const std::size_t count = std::size_t{1} << kFeatures;
  for (std::size_t k = count; k-- > 0;) {
    const double* row = subset.transform + k * (k + 1) / 2;
    auto even = hn::Mul(hn::Set(tag, row[k]), hn::Load(tag, values + k * lanes));
    auto odd = hn::Zero(tag);
    std::size_t l = 0;
    for (; l + 1 < k; l += 2) {
      even = hn::MulAdd(hn::Set(tag, row[l]), hn::Load(tag, values + l * lanes), even);
      odd = hn::MulAdd(hn::Set(tag, row[l + 1]), hn::Load(tag, values + (l + 1) * lanes), odd);
    }
    if (l < k) odd = hn::MulAdd(hn::Set(tag, row[l]), hn::Load(tag, values + l * lanes), odd);
    hn::Store(hn::Add(even, odd), tag, values + k * lanes);
  }
}

// What one vector of rows adds to the sum.
template <int kFeatures, class D>
HWY_INLINE hn::Vec<D> Part(D tag, const SweepLabel& label, const SweepSubset& subset, std::size_t i,
                           const double* values) {
  const std::size_t lanes = hn::Lanes(tag);
  const std::size_t count = std::size_t{1} << kFeatures;
  const auto y = hn::LoadU(tag, label.y + i);
  if (label.measure == Measure::m_n) {
    const auto scaled = hn::LoadU(tag, label.scaled + i);
    auto sum = hn::Zero(tag);
    for (std::size_t k = 0; k < count; ++k) {
      const auto v = hn::Load(tag, values + k * lanes);
      sum = hn::MulAdd(v, hn::NegMulAdd(scaled, v, hn::Set(tag, subset.f[k])), sum);
    }
    return hn::Abs(sum);
  }
  auto h = hn::Zero(tag);
  for (std::size_t k = 0; k < count; ++k) {
    const auto v = hn::Load(tag, values + k * lanes);
    h = hn::MulAdd(v, v, h);
  }
  h = hn::Mul(h, hn::Set(tag, 1.0 / static_cast<double>(label.rows)));
  const auto fitted = [&](std::size_t column) HWY_ATTR {
    auto sum = hn::Zero(tag);
    for (std::size_t k = 0; k < count; ++k) {
      sum = hn::MulAdd(hn::Set(tag, subset.f[column * count + k]),
                       hn::Load(tag, values + k * lanes), sum);
    }
    return sum;
  };
  if (label.measure == Measure::q2) {
    const auto n = static_cast<double>(label.rows);
    const auto free = hn::Sub(hn::Set(tag, 1.0), h);
    const auto alone = hn::Lt(free, hn::Set(tag, 1e-10));
    const auto others = hn::Mul(y, hn::Set(tag, n / (n - 1)));
    const auto residual = hn::IfThenElse(alone, others, hn::Div(hn::Sub(y, fitted(0)), free));
    return hn::Mul(residual, residual);
  }
  auto best = hn::Set(tag, -1e300);
  for (std::size_t column = 0; column < label.columns; ++column) {
    const auto g = fitted(column);
    const auto own = hn::Eq(y, hn::Set(tag, static_cast<double>(column)));
    best = hn::Max(best, hn::Sub(g, hn::IfThenElseZero(own, h)));
  }
  return best;
}

template <int kFeatures>
double SweepOf(const SweepLabel& label, const SweepSubset& subset) {
  const hn::ScalableTag<double> tag;
  const std::size_t lanes = hn::Lanes(tag);
  HWY_ALIGN double values[16 * hn::MaxLanes(tag)];
  auto sum = hn::Zero(tag);
  std::size_t i = 0;
  for (; i + lanes <= label.rows; i += lanes) {
    Products<kFeatures>(tag, subset, i, values);
    Transform<kFeatures>(tag, subset, values);
    sum = hn::Add(sum, Part<kFeatures>(tag, label, subset, i, values));
  }
  double total = hn::GetLane(hn::SumOfLanes(tag, sum));
  const hn::CappedTag<double, 1> one;
  for (; i < label.rows; ++i) {
    Products<kFeatures>(one, subset, i, values);
    Transform<kFeatures>(one, subset, values);
    total += hn::GetLane(Part<kFeatures>(one, label, subset, i, values));
  }
  return total;
}

double Sweep(const SweepLabel& label, const SweepSubset& subset) {
  if (subset.features == 2) return SweepOf<2>(label, subset);
  if (subset.features == 3) return SweepOf<3>(label, subset);
  return SweepOf<4>(label, subset);
}

void SweepFourPairs(const SweepLabel& label, const double* b, const double* base,
                    const double* const c[4], const double* const v[4], double sums[4]) {
  const hn::ScalableTag<double> tag;
  const std::size_t lanes = hn::Lanes(tag);
  // Two pairs at a time: their sixteen coefficients stay in registers.
  for (int pair = 0; pair < 4; pair += 2) {
    const double* p = v[pair];
    const double* q = v[pair + 1];
    const double* pc = c[pair];
    const double* qc = c[pair + 1];
    const auto p0 = hn::Set(tag, p[0]), p1 = hn::Set(tag, p[1]), p2 = hn::Set(tag, p[2]),
               p3 = hn::Set(tag, p[3]), p4 = hn::Set(tag, p[4]), p5 = hn::Set(tag, p[5]),
               p6 = hn::Set(tag, p[6]), p7 = hn::Set(tag, p[7]);
    const auto q0 = hn::Set(tag, q[0]), q1 = hn::Set(tag, q[1]), q2 = hn::Set(tag, q[2]),
               q3 = hn::Set(tag, q[3]), q4 = hn::Set(tag, q[4]), q5 = hn::Set(tag, q[5]),
               q6 = hn::Set(tag, q[6]), q7 = hn::Set(tag, q[7]);
    auto ps = hn::Zero(tag);
    auto qs = hn::Zero(tag);
    std::size_t i = 0;
    for (; i + lanes <= label.rows; i += lanes) {
      const auto x = hn::LoadU(tag, b + i);
      const auto start = hn::LoadU(tag, base + i);
      const auto y = hn::LoadU(tag, label.scaled + i);
      const auto px = hn::LoadU(tag, pc + i);
      const auto qx = hn::LoadU(tag, qc + i);
      const auto pv2 = hn::MulAdd(p0, px, hn::Mul(p1, x));
      const auto qv2 = hn::MulAdd(q0, qx, hn::Mul(q1, x));
      const auto pv3 = hn::MulAdd(px, hn::MulAdd(p2, x, p3), hn::MulAdd(p4, x, p5));
      const auto qv3 = hn::MulAdd(qx, hn::MulAdd(q2, x, q3), hn::MulAdd(q4, x, q5));
      auto pe = hn::MulAdd(pv2, hn::NegMulAdd(y, pv2, p6), start);
      auto qe = hn::MulAdd(qv2, hn::NegMulAdd(y, qv2, q6), start);
      pe = hn::MulAdd(pv3, hn::NegMulAdd(y, pv3, p7), pe);
      qe = hn::MulAdd(qv3, hn::NegMulAdd(y, qv3, q7), qe);
      ps = hn::Add(ps, hn::Abs(pe));
      qs = hn::Add(qs, hn::Abs(qe));
    }
    sums[pair] = hn::GetLane(hn::SumOfLanes(tag, ps));
    sums[pair + 1] = hn::GetLane(hn::SumOfLanes(tag, qs));
    for (; i < label.rows; ++i) {
      for (int k = pair; k < pair + 2; ++k) {
        const double* w = v[k];
        const double v2 = w[0] * c[k][i] + w[1] * b[i];
        const double v3 = c[k][i] * (w[2] * b[i] + w[3]) + w[4] * b[i] + w[5];
        const double e =
            base[i] + v2 * (w[6] - label.scaled[i] * v2) + v3 * (w[7] - label.scaled[i] * v3);
        sums[k] += std::abs(e);
      }
    }
  }
}

// Two vectors of rows of class `own`. Its own prediction is lowered by h, so it is left out of the
// loops over the classes.
template <class D>
HWY_INLINE hn::Vec<D> ClassPart(D tag, const ClassSweep& pair, std::size_t own, std::size_t i) {
  const std::size_t lanes = hn::Lanes(tag);
  const auto one = hn::Set(tag, 1.0);
  const auto inverse = hn::Set(tag, 1 / pair.n);
  const double* w = pair.functions;
  const auto second = [&](hn::Vec<D> u, hn::Vec<D> v) HWY_ATTR {
    return hn::MulAdd(hn::Set(tag, w[0]), v, hn::Mul(hn::Set(tag, w[1]), u));
  };
  const auto third = [&](hn::Vec<D> u, hn::Vec<D> v) HWY_ATTR {
    return hn::MulAdd(v, hn::MulAdd(hn::Set(tag, w[2]), u, hn::Set(tag, w[3])),
                      hn::MulAdd(hn::Set(tag, w[4]), u, hn::Set(tag, w[5])));
  };
  const auto p1 = hn::LoadU(tag, pair.u + i);
  const auto q1 = hn::LoadU(tag, pair.u + i + lanes);
  const auto pv = hn::LoadU(tag, pair.v + i);
  const auto qv = hn::LoadU(tag, pair.v + i + lanes);
  const auto p2 = second(p1, pv), q2 = second(q1, qv);
  const auto p3 = third(p1, pv), q3 = third(q1, qv);
  const auto fitted = [&](const double* f, hn::Vec<D> x1, hn::Vec<D> x2, hn::Vec<D> x3) HWY_ATTR {
    return hn::MulAdd(
        hn::Set(tag, f[3]), x3,
        hn::MulAdd(hn::Set(tag, f[2]), x2, hn::MulAdd(hn::Set(tag, f[1]), x1, hn::Set(tag, f[0]))));
  };
  const auto corrected = [&](hn::Vec<D> x1, hn::Vec<D> x2, hn::Vec<D> x3) HWY_ATTR {
    const auto h = hn::MulAdd(x3, x3, hn::MulAdd(x2, x2, hn::MulAdd(x1, x1, one)));
    return hn::NegMulAdd(h, inverse, fitted(pair.coefficients + 4 * own, x1, x2, x3));
  };
  auto p = corrected(p1, p2, p3);
  auto q = corrected(q1, q2, q3);
  for (const double* f = pair.coefficients; f < pair.coefficients + 4 * own; f += 4) {
    p = hn::Max(p, fitted(f, p1, p2, p3));
    q = hn::Max(q, fitted(f, q1, q2, q3));
  }
  const double* end = pair.coefficients + 4 * pair.classes;
  for (const double* f = pair.coefficients + 4 * (own + 1); f < end; f += 4) {
    p = hn::Max(p, fitted(f, p1, p2, p3));
    q = hn::Max(q, fitted(f, q1, q2, q3));
  }
  return hn::MulAdd(p, hn::LoadU(tag, pair.weight + i),
                    hn::Mul(q, hn::LoadU(tag, pair.weight + i + lanes)));
}

double SweepClasses(const ClassSweep& pair, const double* rest, double least) {
  const hn::CappedTag<double, 8> tag;
  double total = 0;
  for (std::size_t own = 0; own < pair.classes; ++own) {
    if (total + rest[own] < least) break;
    auto sum = hn::Zero(tag);
    for (std::size_t i = pair.first[own]; i < pair.first[own + 1]; i += 2 * hn::Lanes(tag)) {
      sum = hn::Add(sum, ClassPart(tag, pair, own, i));
    }
    total += hn::GetLane(hn::SumOfLanes(tag, sum));
  }
  return total;
}

}  // namespace fsieve::methods::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fsieve::inline methods {

HWY_EXPORT(Sweep);
HWY_EXPORT(SweepFourPairs);
HWY_EXPORT(SweepClasses);

double sweep(const SweepLabel& label, const SweepSubset& subset) {
  return FSIEVE_DISPATCH(Sweep)(label, subset);
}

void sweep_four_pairs(const SweepLabel& label, const double* b, const double* base,
                      const double* const c[4], const double* const v[4], double sums[4]) {
  FSIEVE_DISPATCH(SweepFourPairs)(label, b, base, c, v, sums);
}

double sweep_classes(const ClassSweep& pair, const double* rest, double least) {
  return FSIEVE_DISPATCH(SweepClasses)(pair, rest, least);
}

}  // namespace fsieve::methods
#endif
