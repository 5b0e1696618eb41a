// Least squares over parities, pruned in original units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fsieve/progress.h"
#include "span/products.h"

namespace fsieve::inline equation {

// A product of design columns in original units, sorted; empty: the constant.
using Monomial = std::vector<std::uint32_t>;

struct FitTask {
  std::size_t target = 0;          // design column
  std::vector<Monomial> products;  // closed under taking factors away; the constant comes first
  // Terms that a person reads. An equation that is not exact is made so short, where it then still
  // leaves at most `enough` of the target's variance.
  std::size_t most_terms = SIZE_MAX;
  double enough = 0;
};

// The share of variance up to which an equation counts as exact: what rounding to a few digits
// leaves.
inline constexpr double exact_share = 1e-5;

struct FittedTerm {
  double coefficient = 0;
  Monomial product;
};

struct Fit {
  std::vector<FittedTerm> terms;
  double claimed_r2 = 0;  // by the sums it was fitted to
  double r2_fit = 0;      // measured on the rows (see FitJudge)
  double left_out = 1;    // share of variance left of rows that were not used: how good it is
  double r2 = 0;          // what it promises of other rows: less where few rows tell

  [[nodiscard]] std::size_t length() const;  // terms but for the constant
};

// All products of factors of the given ones, the constant included, smallest first.
[[nodiscard]] std::vector<Monomial> closure(const std::vector<Monomial>& products);

// Fits every task on the whole data. Terms that matter least are dropped one after another while
// the share of variance left unexplained (degrees of freedom taken into account) stays within
// equation_tolerance of the full fit's; the others are refitted each time.
[[nodiscard]] std::vector<Fit> fit_all(const Products& products, const std::vector<FitTask>& tasks,
                                       Progress& progress);

}  // namespace fsieve::equation
