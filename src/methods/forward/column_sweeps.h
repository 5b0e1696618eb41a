// Sweeps over the inner products of thousands of columns that lie side by side: arrays of one
// number for each column, one array after another.
#pragma once

#include <cstddef>

#include "methods/forward/estimate_terms.h"

namespace fsieve::inline methods {

// Of the functions that each column would bring into a span, all of them as many: arrays `stride`
// apart.
struct ColumnSums {
  std::size_t stride;
  std::size_t functions;
  std::size_t labels;
  const double* gram;      // of functions a ≥ b beside the span: array a (a + 1) / 2 + b
  const double* on_label;  // of function a and column y of the residual: array a · labels + y
  const double* squares;   // of function a as it was: array a
};

// What the functions of columns [first, last) would gain, about: writes the gain of each and what
// it is at most, and returns the largest gain that one of them has at least. Columns that bring
// nothing have gains of −∞; where rounding may hide whether a function is new, the gain is at most
// +∞ (estimated_catch tells more closely).
double estimate_columns(const ColumnSums& sums, const EstimateTerms& terms, std::size_t first,
                        std::size_t last, double* gain, double* most);

// to[c] −= Σ_k x[k · stride + c] y[k · stride + c] for k < count and c < columns.
void subtract_products(std::size_t columns, std::size_t stride, std::size_t count, const float* x,
                       const float* y, double* to);

// to[c] −= Σ_k x[k · stride + c] factors[k · step], likewise.
void subtract_multiples(std::size_t columns, std::size_t stride, std::size_t count, const float* x,
                        const float* factors, std::size_t step, double* to);

}  // namespace fsieve::methods
