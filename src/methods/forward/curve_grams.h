// For every candidate feature that has curves, the inner products of all its columns beside the
// span: families of equally many columns side by side (family_grams.h).
#pragma once

#include <cstddef>
#include <vector>

#include "methods/forward/family_grams.h"

namespace fsieve::inline methods {

class CurveGrams {
 public:
  // `residual`: what the span leaves of the label, of so many columns. `singles` follow the span,
  // all of which is new to them.
  CurveGrams(const SupervisedData& data, const std::vector<std::size_t>& features,
             std::size_t labels, const Span& span, const std::vector<double>& residual,
             const ColumnGrams& singles);

  // As in FamilyGrams.
  void take_out(const Span& span, std::size_t first, const double* on_residual,
                const ColumnGrams& singles);
  void remove(const std::vector<std::size_t>& features);
  // Candidates of so many functions that fits(functions) is false are none any more.
  template <class Fits>
  void forget_unless(const Fits& fits) {
    std::erase_if(families_, [&](const FamilyGrams& family) { return !fits(family.functions()); });
  }

  [[nodiscard]] bool has(std::size_t feature) const;
  [[nodiscard]] EstimatedCatch explained(std::size_t feature, double least) const;
  // Those that may be among the best `reach`.
  [[nodiscard]] std::vector<EstimatedStep> best(std::size_t reach,
                                                const EstimateTerms& terms) const;

 private:
  std::vector<FamilyGrams> families_;
};

}  // namespace fsieve::methods
