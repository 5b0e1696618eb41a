// Equations for removed features: from the parities that explain one to a polynomial in original
// units that a person can read.
#pragma once

#include <cstddef>
#include <vector>

#include "basis/parity.h"
#include "data/design.h"
#include "equation/fit.h"
#include "equation/fit_judge.h"
#include "fsieve/equation.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve::inline equation {

// A removed feature, the stage that removed it, and per design column the parities that explain it.
struct Explanation {
  std::size_t feature = 0;
  int stage = 0;
  std::vector<std::vector<Parity>> supports;
  std::vector<Fit> fits =
      {};  // per design column, by these parities, where they are judged already
};

// The products that parities are made of.
[[nodiscard]] std::vector<Monomial> products_of(const std::vector<Parity>& support);

// A fit by names.
[[nodiscard]] Equation written(const Design& design, std::size_t target, const Fit& fit);

// One equation per design column of each explanation. They use features that were selected in the
// end, with products of up to `depth`, where these explain the column as well (R² within 0.001) in
// no more than `most_terms`; else the features that were kept at its stage.
[[nodiscard]] std::vector<std::vector<Equation>> fit_equations(
    const Products& products, const std::vector<bool>& selected, int depth,
    const std::vector<Explanation>& explanations, FitJudge& judge, Progress& progress,
    std::size_t most_terms = SIZE_MAX);

// "x = 5", or "color=red = 1" for a column of one level.
[[nodiscard]] std::vector<Equation> constant_equations(const Column& column,
                                                       const DesignFeature& feature);

}  // namespace fsieve::equation
