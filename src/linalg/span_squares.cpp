#include "linalg/span_squares.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/span_squares.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <hwy/highway.h>

#include <algorithm>

#include "base/dispatch.h"

// Functions of a block, whatever the width of a register.
#ifndef FSIEVE_SPAN_BLOCK
#define FSIEVE_SPAN_BLOCK 16
#endif

HWY_BEFORE_NAMESPACE();
namespace fsieve::blas::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, FSIEVE_SPAN_BLOCK>;
using V = hn::Vec<Lanes>;

// Sums over so many rows at a time keep their rounding small.
constexpr std::size_t piece = 256;

HWY_INLINE float SumOfSquares(V products) {
  const Lanes tag;
  return hn::GetLane(hn::SumOfLanes(tag, hn::Mul(products, products)));
}

// Eight columns with the functions from `functions` on, as many as a register holds.
HWY_INLINE void AddEight(const float* functions, std::size_t rows, const float* columns,
                         float* squares) {
  const Lanes tag;
  V t0 = hn::Zero(tag), t1 = t0, t2 = t0, t3 = t0, t4 = t0, t5 = t0, t6 = t0, t7 = t0;
  for (std::size_t first = 0; first < rows; first += piece) {
    const std::size_t end = std::min(rows, first + piece);
    V s0 = hn::Zero(tag), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
    for (std::size_t i = first; i < end; ++i) {
      const V f = hn::LoadU(tag, functions + i * FSIEVE_SPAN_BLOCK);
      const float* x = columns + i;
      s0 = hn::MulAdd(hn::Set(tag, x[0]), f, s0);
      s1 = hn::MulAdd(hn::Set(tag, x[rows]), f, s1);
      s2 = hn::MulAdd(hn::Set(tag, x[2 * rows]), f, s2);
      s3 = hn::MulAdd(hn::Set(tag, x[3 * rows]), f, s3);
      s4 = hn::MulAdd(hn::Set(tag, x[4 * rows]), f, s4);
      s5 = hn::MulAdd(hn::Set(tag, x[5 * rows]), f, s5);
      s6 = hn::MulAdd(hn::Set(tag, x[6 * rows]), f, s6);
      s7 = hn::MulAdd(hn::Set(tag, x[7 * rows]), f, s7);
    }
    t0 = hn::Add(t0, s0);
    t1 = hn::Add(t1, s1);
    t2 = hn::Add(t2, s2);
    t3 = hn::Add(t3, s3);
    t4 = hn::Add(t4, s4);
    t5 = hn::Add(t5, s5);
    t6 = hn::Add(t6, s6);
    t7 = hn::Add(t7, s7);
  }
  squares[0] += SumOfSquares(t0);
  squares[1] += SumOfSquares(t1);
  squares[2] += SumOfSquares(t2);
  squares[3] += SumOfSquares(t3);
  squares[4] += SumOfSquares(t4);
  squares[5] += SumOfSquares(t5);
  squares[6] += SumOfSquares(t6);
  squares[7] += SumOfSquares(t7);
}

HWY_INLINE void AddOne(const float* functions, std::size_t rows, const float* column,
                       float* square) {
  const Lanes tag;
  V total = hn::Zero(tag);
  for (std::size_t first = 0; first < rows; first += piece) {
    V sum = hn::Zero(tag);
    for (std::size_t i = first; i < std::min(rows, first + piece); ++i) {
      sum = hn::MulAdd(hn::Set(tag, column[i]), hn::LoadU(tag, functions + i * FSIEVE_SPAN_BLOCK),
                       sum);
    }
    total = hn::Add(total, sum);
  }
  *square += SumOfSquares(total);
}

void AddSquares(const float* functions, std::size_t rows, const float* columns, std::size_t count,
                float* squares) {
  const Lanes tag;
  for (std::size_t lane = 0; lane < FSIEVE_SPAN_BLOCK; lane += hn::Lanes(tag)) {
    std::size_t c = 0;
    for (; c + 8 <= count; c += 8) {
      AddEight(functions + lane, rows, columns + c * rows, squares + c);
    }
    for (; c < count; ++c) AddOne(functions + lane, rows, columns + c * rows, squares + c);
  }
}

}  // namespace fsieve::blas::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fsieve::blas {

HWY_EXPORT(AddSquares);

SpanSquares::SpanSquares(const double* functions, std::size_t rows, std::size_t count)
    : rows_(rows),
      blocks_((count + FSIEVE_SPAN_BLOCK - 1) / FSIEVE_SPAN_BLOCK),
      functions_(blocks_ * rows * FSIEVE_SPAN_BLOCK) {
  for (std::size_t f = 0; f < count; ++f) {
    const std::size_t block = f / FSIEVE_SPAN_BLOCK;
    float* to = functions_.data() + block * rows * FSIEVE_SPAN_BLOCK + f % FSIEVE_SPAN_BLOCK;
    for (std::size_t i = 0; i < rows; ++i) {
      to[i * FSIEVE_SPAN_BLOCK] = static_cast<float>(functions[f * rows + i]);
    }
  }
}

void SpanSquares::of(const float* columns, std::size_t count, float* squares) const {
  // A few columns at a time, which stay in cache for all blocks.
  constexpr std::size_t at_once = 64;
  std::fill_n(squares, count, 0.0F);
  for (std::size_t first = 0; first < count; first += at_once) {
    const std::size_t some = std::min(at_once, count - first);
    for (std::size_t b = 0; b < blocks_; ++b) {
      FSIEVE_DISPATCH(AddSquares)
      (functions_.data() + b * rows_ * FSIEVE_SPAN_BLOCK, rows_, columns + first * rows_, some,
       squares + first);
    }
  }
}

}  // namespace fsieve::blas
#endif
