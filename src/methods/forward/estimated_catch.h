// What functions explain of a residual, about, and what says how far off that may be.
#pragma once

#include <cstddef>

#include "linalg/narrow.h"
#include "span/gram_factor.h"

namespace fsieve::inline methods {

struct EstimatedCatch {
  Explained explained;
  double weight = 0;  // Σ |x f|² over all functions f of the fit Σ x f to the residual
  double growth = 0;  // Σ |f|² / |what is left of f beside the ones before|²
  bool sure = true;  // no function is so near the limit that double precision might skip or keep it
};

// How far inner products in single precision of functions that the span is taken out of are off,
// relative to their norms before that. Three roundings: of the inner product itself, and two of
// those with the span, which are multiplied; all of these together (they are independent, and their
// squares sum to no more than the norm) count as two.
[[nodiscard]] inline double rounding_beside_span(std::size_t rows) {
  return 3 * blas::rounding_of_inner_product(rows);
}

// From inner products that are off by `rounding`, relative to the squared norms `squares` of the
// functions before the span was taken out. `gram` and `on_label` are as factor_gram has them, and
// are written to.
[[nodiscard]] EstimatedCatch estimated_catch(std::size_t count, double* gram, std::size_t labels,
                                             double* on_label, const double* squares, double least,
                                             double rounding);

}  // namespace fsieve::methods
