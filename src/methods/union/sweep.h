// The sweep over rows of the projection kernel: from the orthonormal functions of a subset to its
// score, eight rows at a time. Chosen at run time for this CPU.
#pragma once

#include <cstddef>

#include "fsieve/measure.h"

namespace fsieve::inline methods {

// What every subset shares.
struct SweepLabel {
  Measure measure;
  std::size_t rows;
  std::size_t columns;   // label columns: 1, or one per class for bayes_accuracy
  const double* y;       // ±1, the class code, or the centred number; per row
  const double* scaled;  // y / n, for m_n
};

// A subset {q…, b, c} of real features. Its products are numbered by masks: bit 0 is c, bit 1 is b,
// the others are the outer features.
struct SweepSubset {
  int features;                // 2 to 4
  const double* const* outer;  // products of the outer features by mask; [0] is not read
  const double* b;
  const double* c;
  const double* transform;  // lower triangular, rows one after another (1, 2, 3, … numbers): the
                            // orthonormal functions (length √n) from the products; zero rows
                            // where a product is trivial
  const double* f;          // (1/n) sum y ψ, for each function and label column
};

// m_n: sum |ŷ − h y|; bayes_accuracy: sum of the largest corrected class; q2: the sum of squared
// leave-one-out residuals.
[[nodiscard]] double sweep(const SweepLabel& label, const SweepSubset& subset);

// m_n for {b, c_k}, four c at a time: x_b and `base` (what the constant and x_b add to ŷ − h y) are
// read once. Coefficients of pair k: v2 = v[0] x_c + v[1] x_b, v3 = x_c (v[2] x_b + v[3]) + v[4]
// x_b
// + v[5], and f2 = v[6], f3 = v[7].
void sweep_four_pairs(const SweepLabel& label, const double* b, const double* base,
                      const double* const c[4], const double* const v[4], double sums[4]);

// A pair of features for more than two classes, with the rows sorted by class.
struct ClassSweep {
  std::size_t classes;
  double n;                  // rows that count
  const std::size_t* first;  // row of each class, and the end; multiples of 16
  const double* weight;      // 1, or 0 for rows that fill a class up
  const double *u, *v;
  double functions[6];         // ψ2 = [0] v + [1] u, ψ3 = [2] uv + [3] v + [4] u + [5]; ψ1 = u
  const double* coefficients;  // four per class: of the constant, ψ1, ψ2 and ψ3
};

// bayes_accuracy: the sum of the largest corrected class, or, as soon as it is sure to be below
// `least`, some number below it. rest[k]: what the rows of the classes from k on add at most.
[[nodiscard]] double sweep_classes(const ClassSweep& pair, const double* rest, double least);

}  // namespace fsieve::methods
