// The p-value of every feature alone against the label, right for any tails and class sizes.
//
// A real-valued feature enters by polynomials of its ranks, a number as label by the normal scores
// of its ranks. Where one of both is smooth, so that no value holds half of the rows, and no class
// has but a few rows, the F tail is right; it is too, about, where the rarest cell of feature and
// label has many rows. Else the larger of the F tail and the exchange tail counts
// (methods/forward/significance.h).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "data/supervised_data.h"
#include "methods/forward/significance.h"
#include "span/span.h"

namespace fsieve::inline methods {

class SingleTests {
 public:
  // `curves`: a real-valued feature may also show by its curve; then its p-value is twice the
  // smaller of both. Everything is judged given the features `covariates`.
  SingleTests(const SupervisedData& data, bool curves, const std::vector<std::size_t>& covariates);

  // Tests a real-valued feature whose polynomials of ranks are known. May be called from many
  // threads, for different features.
  void test(std::size_t feature, const std::vector<double>& polynomials);
  // Tests features that count as one, which the first of them stands for.
  void test(const std::vector<std::size_t>& features);

  // Tests all that were not yet, and gives the p-values by feature; none for constants and
  // covariates.
  [[nodiscard]] std::vector<std::optional<double>> finish();

 private:
  [[nodiscard]] double log_p(std::vector<double> functions, bool smooth) const;
  [[nodiscard]] std::vector<double> columns_of(std::size_t feature) const;

  const SupervisedData& data_;
  bool curves_;
  std::vector<std::size_t> covariates_;
  Span base_;
  std::vector<double> residual_;
  std::optional<JudgedLabel> label_;  // of the residual
  bool smooth_label_ = false;
  double label_peak_ = 0;
  std::vector<std::optional<double>> p_values_;
  std::vector<bool> left_out_;  // have no p-value of their own
};

}  // namespace fsieve::methods
