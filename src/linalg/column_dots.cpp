#include "linalg/column_dots.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/column_dots.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <hwy/highway.h>

#include <algorithm>

#include "base/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace fsieve::blas::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Rows = hn::CappedTag<float, rows_of_dots>;
using V = hn::Vec<Rows>;

enum class Of { columns, squares };

template <Of of>
HWY_INLINE V Values(const float* column) {
  const V values = hn::LoadU(Rows(), column);
  return of == Of::squares ? hn::Mul(values, values) : values;
}

HWY_INLINE void AddSum(V products, float* sum) {
  *sum += hn::GetLane(hn::SumOfLanes(Rows(), products));
}

#if HWY_TARGET != HWY_SCALAR
// Four sums, of which each four lanes hold a part.
template <class D>
HWY_INLINE void AddParts(D tag, hn::Vec<D> parts, float* sums) {
#if HWY_HAVE_SCALABLE
  HWY_ALIGN float stored[rows_of_dots];
  hn::Store(parts, tag, stored);
  for (std::size_t part = 0; part < hn::Lanes(tag); part += 4) {
    for (std::size_t k = 0; k < 4; ++k) sums[k] += stored[part + k];
  }
#else
  if constexpr (hn::MaxLanes(tag) > 4) {
    const hn::Half<D> half;
    AddParts(half, hn::Add(hn::LowerHalf(half, parts), hn::UpperHalf(half, parts)), sums);
  } else {
    hn::StoreU(hn::Add(parts, hn::LoadU(tag, sums)), tag, sums);
  }
#endif
}
#endif

// Of four at a time: in registers they are turned so that what belongs together is added.
HWY_INLINE void AddSums(V a, V b, V c, V d, float* sums) {
#if HWY_TARGET == HWY_SCALAR
  AddSum(a, sums);
  AddSum(b, sums + 1);
  AddSum(c, sums + 2);
  AddSum(d, sums + 3);
#else
  const Rows tag;
  const hn::Repartition<double, Rows> twos;
  const auto of_two = [&](V x, V y) HWY_ATTR {
    return hn::BitCast(twos,
                       hn::Add(hn::InterleaveLower(tag, x, y), hn::InterleaveUpper(tag, x, y)));
  };
  const auto ab = of_two(a, b);
  const auto cd = of_two(c, d);
  const V all = hn::Add(hn::BitCast(tag, hn::InterleaveLower(twos, ab, cd)),
                        hn::BitCast(tag, hn::InterleaveUpper(twos, ab, cd)));
  AddParts(tag, all, sums);
#endif
}

// Four columns with two functions: as many sums as hide that each waits for itself.
template <Of of>
HWY_INLINE void FourByTwo(std::size_t rows, const float* f, const float* g,
                          const float* const* columns, float* with_f, float* with_g) {
  const Rows tag;
  V f0 = hn::Zero(tag), f1 = f0, f2 = f0, f3 = f0, g0 = f0, g1 = f0, g2 = f0, g3 = f0;
  for (std::size_t i = 0; i < rows; i += hn::Lanes(tag)) {
    const V of_f = hn::LoadU(tag, f + i);
    const V of_g = hn::LoadU(tag, g + i);
    V x = Values<of>(columns[0] + i);
    f0 = hn::MulAdd(x, of_f, f0);
    g0 = hn::MulAdd(x, of_g, g0);
    x = Values<of>(columns[1] + i);
    f1 = hn::MulAdd(x, of_f, f1);
    g1 = hn::MulAdd(x, of_g, g1);
    x = Values<of>(columns[2] + i);
    f2 = hn::MulAdd(x, of_f, f2);
    g2 = hn::MulAdd(x, of_g, g2);
    x = Values<of>(columns[3] + i);
    f3 = hn::MulAdd(x, of_f, f3);
    g3 = hn::MulAdd(x, of_g, g3);
  }
  AddSums(f0, f1, f2, f3, with_f);
  AddSums(g0, g1, g2, g3, with_g);
}

// Eight columns with one.
template <Of of>
HWY_INLINE void EightByOne(std::size_t rows, const float* f, const float* const* columns,
                           float* with_f) {
  const Rows tag;
  V f0 = hn::Zero(tag), f1 = f0, f2 = f0, f3 = f0, f4 = f0, f5 = f0, f6 = f0, f7 = f0;
  for (std::size_t i = 0; i < rows; i += hn::Lanes(tag)) {
    const V of_f = hn::LoadU(tag, f + i);
    f0 = hn::MulAdd(Values<of>(columns[0] + i), of_f, f0);
    f1 = hn::MulAdd(Values<of>(columns[1] + i), of_f, f1);
    f2 = hn::MulAdd(Values<of>(columns[2] + i), of_f, f2);
    f3 = hn::MulAdd(Values<of>(columns[3] + i), of_f, f3);
    f4 = hn::MulAdd(Values<of>(columns[4] + i), of_f, f4);
    f5 = hn::MulAdd(Values<of>(columns[5] + i), of_f, f5);
    f6 = hn::MulAdd(Values<of>(columns[6] + i), of_f, f6);
    f7 = hn::MulAdd(Values<of>(columns[7] + i), of_f, f7);
  }
  AddSums(f0, f1, f2, f3, with_f);
  AddSums(f4, f5, f6, f7, with_f + 4);
}

template <Of of>
HWY_INLINE void OneByOne(std::size_t rows, const float* f, const float* column, float* with_f) {
  const Rows tag;
  V sum = hn::Zero(tag);
  for (std::size_t i = 0; i < rows; i += hn::Lanes(tag)) {
    sum = hn::MulAdd(Values<of>(column + i), hn::LoadU(tag, f + i), sum);
  }
  AddSum(sum, with_f);
}

template <Of of>
void AddDots(const FewFunctions& functions, const float* const* columns, std::size_t count,
             float* sums, std::size_t stride) {
  const std::size_t rows = functions.rows();
  const std::size_t paired = functions.count() / 2 * 2;
  std::size_t c = 0;
  for (; c + 8 <= count; c += 8) {
    for (std::size_t f = 0; f < paired; f += 2) {
      float* const to = sums + f * stride + c;
      FourByTwo<of>(rows, functions[f], functions[f + 1], columns + c, to, to + stride);
      FourByTwo<of>(rows, functions[f], functions[f + 1], columns + c + 4, to + 4, to + stride + 4);
    }
    if (paired < functions.count()) {
      EightByOne<of>(rows, functions[paired], columns + c, sums + paired * stride + c);
    }
  }
  for (; c < count; ++c) {
    for (std::size_t f = 0; f < functions.count(); ++f) {
      OneByOne<of>(rows, functions[f], columns[c], sums + f * stride + c);
    }
  }
}

void ColumnDots(const FewFunctions& functions, const float* const* columns, std::size_t count,
                float* sums, std::size_t stride) {
  AddDots<Of::columns>(functions, columns, count, sums, stride);
}

void SquareDots(const FewFunctions& functions, const float* const* columns, std::size_t count,
                float* sums, std::size_t stride) {
  AddDots<Of::squares>(functions, columns, count, sums, stride);
}

}  // namespace fsieve::blas::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fsieve::blas {

HWY_EXPORT(ColumnDots);
HWY_EXPORT(SquareDots);

void FewFunctions::resize(std::size_t rows, std::size_t count) {
  rows_ = rows;
  count_ = count;
  stride_ = (rows + rows_of_dots - 1) / rows_of_dots * rows_of_dots;
  if (values_.size() < count * stride_) values_.resize(count * stride_);
  for (std::size_t f = 0; f < count; ++f) {
    std::fill((*this)[f] + rows, (*this)[f] + stride_, 0.0F);
  }
}

void add_column_dots(const FewFunctions& functions, const float* const* columns, std::size_t count,
                     float* sums, std::size_t stride) {
  FSIEVE_DISPATCH(ColumnDots)(functions, columns, count, sums, stride);
}

void add_square_dots(const FewFunctions& functions, const float* const* columns, std::size_t count,
                     float* sums, std::size_t stride) {
  FSIEVE_DISPATCH(SquareDots)(functions, columns, count, sums, stride);
}

}  // namespace fsieve::blas
#endif
