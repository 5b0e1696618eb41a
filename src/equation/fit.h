// Least squares over parities, pruned in original units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/design.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve::inline equation {

// A product of design columns in original units, sorted; empty: the constant.
using Monomial = std::vector<std::uint32_t>;

struct FitTask {
  std::size_t target = 0;          // design column
  std::vector<Monomial> products;  // closed under taking factors away; the constant comes first
};

struct FittedTerm {
  double coefficient = 0;
  Monomial product;
};

struct Fit {
  std::vector<FittedTerm> terms;
  double r2 = 0;
};

// All products of factors of the given ones, the constant included, smallest first.
[[nodiscard]] std::vector<Monomial> closure(const std::vector<Monomial>& products);

// Fits every task on the whole data. Terms that matter least are dropped one after another while
// the share of variance left unexplained (degrees of freedom taken into account) stays within
// equation_tolerance of the full fit's; the others are refitted each time.
[[nodiscard]] std::vector<Fit> fit_all(const Source& source, const Design& design,
                                       const std::vector<FitTask>& tasks, Progress& progress);

// R² of fits as they stand, computed from their residuals row by row.
void measure_r2(const Source& source, const Design& design, const std::vector<std::size_t>& targets,
                std::vector<Fit>& fits, Progress& progress);

}  // namespace fsieve::equation
