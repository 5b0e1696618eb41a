// Different rows of a table and how many rows each stands for: sums over many rows by few of them.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace fsieve::inline stats {

[[nodiscard]] inline double dot(std::size_t n, const double* a, const double* b) {
  return std::inner_product(a, a + n, b, 0.0);
}

struct Atoms {
  std::size_t columns = 0;
  std::vector<double> values;  // row after row
  std::vector<double> counts;
  bool all = true;  // not a sample

  [[nodiscard]] std::size_t size() const { return counts.size(); }
  [[nodiscard]] const double* row(std::size_t k) const { return values.data() + k * columns; }
};

// `table`: column after column; rows that are equal but for rounding are one atom. `counts`:
// how many rows each stands for, or empty.
[[nodiscard]] Atoms different_rows(std::size_t rows, std::size_t columns, std::vector<double> table,
                                   const std::vector<double>& counts);

// At most 512 of them: the largest as they are, of the others every so manyth.
[[nodiscard]] Atoms representatives(Atoms atoms);

// The label's part of K(θ, γ) in exchange_tail.h.
struct LabelAtoms {
  explicit LabelAtoms(Atoms different);

  Atoms atoms;
  std::vector<double> share;
  // What exchanges leave as it is, as functions of a row of the label: its columns, and its square
  // where there is one column; of mean 0 and independent. Function after function.
  std::vector<double> conserved;
};

}  // namespace fsieve::stats
