// What thousands of single columns would explain of a residual, about, in one sweep over memory.
#pragma once

#include <cstddef>

namespace fsieve::inline methods {

// Of every column: what the span leaves of it (squared norm), and the sum of its squared inner
// products with the residual.
struct SingleSums {
  std::size_t count;
  const double* left;
  const double* squares;
};

// What the estimates are made of; docs/decisions.md, `forward`, and Round::error_of say how.
struct SingleTerms {
  double weight;       // of a column as it was
  double least;        // left of a column that is new
  double off;          // rounding of what is left of a column
  double residual;     // squared norm of the residual
  double total;        // of the label
  double noise;        // what a function of noise catches of what is not caught
  double rounding;     // of inner products, relative
  double error_grows;  // 1 + what noise makes of an error
  double least_error;
  double error_of_gain;  // of the gain itself, at least
};

// Writes the gain of each and what it is at most, and returns the largest gain that one of them
// has at least. Columns that bring nothing have gains of −∞; where rounding hides whether one does,
// it is at most +∞.
double estimate_singles(const SingleSums& sums, const SingleTerms& terms, double* gain,
                        double* most);

}  // namespace fsieve::methods
