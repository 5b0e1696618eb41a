#include "equation/twin_filter.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "equation/twin_filter.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <hwy/highway.h>

#include "base/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace fsieve::inline equation::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::ScalableTag<double>;
using V = hn::Vec<Lanes>;

HWY_INLINE V Middle(V a, V b, V c) { return hn::Max(hn::Min(a, b), hn::Min(hn::Max(a, b), c)); }

// Squares of what is left in some rows: their sum but for the largest.
struct Left {
  V others;
  V worst;

  HWY_INLINE void Add(V left) {
    const V square = hn::Mul(left, left);
    others = hn::Add(others, hn::Min(worst, square));
    worst = hn::Max(worst, square);
  }
};

void FindPossibleTwins(const TellingRows& rows, std::size_t count,
                       std::vector<std::uint32_t>& found) {
  const Lanes tag;
  constexpr double clearly = 1.01;      // beyond the rounding of another order and of reciprocals
  const V tiny = hn::Set(tag, 1e-280);  // of smaller squares nothing is told
  const V most = hn::Set(tag, clearly * rows.most);
  const V values[] = {hn::Set(tag, rows.values[0]), hn::Set(tag, rows.values[1]),
                      hn::Set(tag, rows.values[2])};
  const V inverse[] = {hn::Set(tag, 1 / rows.values[0]), hn::Set(tag, 1 / rows.values[1]),
                       hn::Set(tag, 1 / rows.values[2])};
  const std::size_t step = hn::Lanes(tag);
  for (std::size_t first = 0; first < count; first += step) {
    const V u0 = hn::LoadU(tag, rows.usual[0] + first);
    const V u1 = hn::LoadU(tag, rows.usual[1] + first);
    const V u2 = hn::LoadU(tag, rows.usual[2] + first);
    const V usual = Middle(u0, u1, u2);
    const V l0 = hn::Sub(hn::LoadU(tag, rows.largest[0] + first), usual);
    const V l1 = hn::Sub(hn::LoadU(tag, rows.largest[1] + first), usual);
    const V l2 = hn::Sub(hn::LoadU(tag, rows.largest[2] + first), usual);
    const V unit =
        Middle(hn::Mul(l0, inverse[0]), hn::Mul(l1, inverse[1]), hn::Mul(l2, inverse[2]));
    Left left{hn::Zero(tag), hn::Zero(tag)};
    left.Add(hn::Sub(u0, usual));
    left.Add(hn::Sub(u1, usual));
    left.Add(hn::Sub(u2, usual));
    left.Add(hn::NegMulAdd(unit, values[0], l0));
    left.Add(hn::NegMulAdd(unit, values[1], l1));
    left.Add(hn::NegMulAdd(unit, values[2], l2));
    const V limit = hn::Max(hn::Mul(most, hn::Mul(unit, unit)), tiny);
    const auto clear = hn::Or(hn::Eq(unit, hn::Zero(tag)), hn::Gt(left.others, limit));
    if (hn::AllTrue(tag, clear)) continue;
    alignas(64) double told[hn::MaxLanes(tag)];
    hn::Store(hn::IfThenElseZero(clear, hn::Set(tag, 1)), tag, told);
    for (std::size_t k = 0; k < step && first + k < count; ++k) {
      if (told[k] == 0) found.push_back(static_cast<std::uint32_t>(first + k));
    }
  }
}

}  // namespace fsieve::equation::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fsieve::inline equation {

HWY_EXPORT(FindPossibleTwins);

void find_possible_twins(const TellingRows& rows, std::size_t count,
                         std::vector<std::uint32_t>& found) {
  found.clear();
  FSIEVE_DISPATCH(FindPossibleTwins)(rows, count, found);
}

}  // namespace fsieve::equation
#endif
