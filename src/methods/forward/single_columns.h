// For every candidate feature of one column, what the span leaves of that column and its inner
// products with what is left of the label: what CandidateGrams keeps for functions of any number,
// in plain arrays, where thousands of candidates are a pass over memory. In single precision, but
// for the sums: this says who is worth being judged exactly.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "data/supervised_data.h"
#include "methods/forward/estimated_catch.h"
#include "methods/forward/estimated_steps.h"
#include "methods/forward/single_estimates.h"
#include "span/span.h"

namespace fsieve::inline methods {

class SingleColumns {
 public:
  // The candidates are `features`, each with one plain column; the residual has `labels` columns.
  SingleColumns(const SupervisedData& data, const std::vector<std::size_t>& features,
                std::size_t labels);

  // Begins with a residual that is orthogonal to the span.
  void open(const Span& span, const std::vector<double>& residual);
  // The span has grown: functions [first, rank) are new. `on_residual`: their inner products with
  // the residual before they came (labels per function).
  void take_out(const Span& span, std::size_t first, const std::vector<double>& on_residual);
  // The features are candidates no longer.
  void remove(const std::vector<std::size_t>& features);

  [[nodiscard]] std::size_t size() const { return feature_.size() - unused_; }
  [[nodiscard]] bool has(std::size_t feature) const { return place_[feature] != nowhere; }
  // What the column explains of the residual, about.
  [[nodiscard]] EstimatedCatch explained(std::size_t feature, double least) const {
    return explained_by(place_[feature], least);
  }
  // Those of all candidates that may be among the best `reach`, by such terms (their `weight`,
  // `off` and `rounding` are known here).
  [[nodiscard]] std::vector<EstimatedStep> best(std::size_t reach, SingleTerms terms) const;

 private:
  static constexpr std::size_t nowhere = SIZE_MAX;

  void drop_unused();
  [[nodiscard]] std::vector<float> inner_products(const double* functions, std::size_t count) const;
  [[nodiscard]] EstimatedCatch explained_by(std::size_t c, double least) const {
    EstimatedCatch estimate;
    estimate.sure = std::abs(left_[c] - least) > off_;
    if (left_[c] <= least) return estimate;
    double squares = 0;
    for (std::size_t y = 0; y < labels_; ++y) {
      squares += on_label_[c * labels_ + y] * on_label_[c * labels_ + y];
    }
    const double shrunk = 1 / left_[c];
    estimate.explained = {1, squares * shrunk};
    estimate.growth = data_->weight() * shrunk;
    estimate.weight = estimate.growth * estimate.explained.caught;
    return estimate;
  }

  const SupervisedData* data_;
  std::size_t labels_;
  double off_;                                         // rounding of what is left of a column
  std::vector<std::size_t> place_;                     // of a feature among the columns, or nowhere
  std::vector<std::size_t> feature_;                   // of each column
  std::shared_ptr<const std::vector<float>> columns_;  // times √w
  std::vector<double> left_;                           // squared norms; 0 or less: no candidate
  std::vector<double> on_label_;                       // labels per column
  std::size_t unused_ = 0;                             // columns of no candidate any more
};

}  // namespace fsieve::methods
