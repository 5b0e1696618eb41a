// Backward elimination of columns that others explain linearly, from their inner products alone.
#pragma once

#include <cstddef>
#include <vector>

namespace fsieve::relations {

// Columns that go together: one, or the indicators of a category.
struct Bundle {
  std::size_t first = 0;  // columns [first, last)
  std::size_t last = 0;
  bool removable = true;
};

// Removes, one after another, the bundle of which the others leave least, while at most `epsilon`
// (norm, corrected for the degrees of freedom of `rows`) is left of it and of every one removed
// before. Among columns of an exact linear relation that is the one with the largest share in it;
// of equal ones the last. Returns the removed bundles in that order. `gram`: of standardised
// columns, the whole symmetric matrix.
[[nodiscard]] std::vector<std::size_t> eliminated(const std::vector<double>& gram,
                                                  const std::vector<Bundle>& bundles,
                                                  double epsilon, double rows);

// The columns of which earlier ones leave nothing.
[[nodiscard]] std::vector<std::size_t> dependent_columns(std::vector<double> gram,
                                                         std::size_t size);

}  // namespace fsieve::relations
