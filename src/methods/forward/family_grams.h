// For candidate features that have equally many columns, the inner products of all of these, made
// orthogonal to a span: what CandidateGrams keeps, in plain arrays over the candidates, where
// thousands of them are a sweep over memory. In single precision, but for sums: this says who is
// worth being judged exactly.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "data/supervised_data.h"
#include "methods/forward/column_sweeps.h"
#include "methods/forward/estimated_catch.h"
#include "methods/forward/estimated_steps.h"
#include "span/span.h"

namespace fsieve::inline methods {

class FamilyGrams {
 public:
  // Beside no span; `residual`: what is left of the label, of so many columns.
  FamilyGrams(const SupervisedData& data, const std::vector<std::size_t>& features,
              std::size_t labels, const std::vector<double>& residual);

  // The span has grown: functions [first, rank) are new. `on_residual`: their inner products with
  // the residual before they came (labels per function); null if it stays the same.
  void take_out(const Span& span, std::size_t first, const double* on_residual);
  // The features are candidates no longer, if they were.
  void remove(const std::vector<std::size_t>& features);

  [[nodiscard]] std::size_t functions() const { return functions_; }  // of a candidate
  [[nodiscard]] bool has(std::size_t feature) const;
  // What the functions of a candidate explain, about.
  [[nodiscard]] EstimatedCatch explained(std::size_t feature, double least) const;
  // Those that may be among the best `reach`.
  [[nodiscard]] std::vector<EstimatedStep> best(std::size_t reach,
                                                const EstimateTerms& terms) const;

 private:
  [[nodiscard]] std::size_t count() const { return feature_.size(); }
  [[nodiscard]] double* gram(std::size_t a, std::size_t b) {
    return gram_.data() + (a * (a + 1) / 2 + b) * stride_;
  }
  [[nodiscard]] double* on_label(std::size_t a, std::size_t y) {
    return on_label_.data() + (a * labels_ + y) * stride_;
  }
  [[nodiscard]] const float* const* columns(std::size_t a) const {
    return columns_.data() + a * count();
  }
  [[nodiscard]] std::size_t place_of(std::size_t feature) const;
  [[nodiscard]] ColumnSums sums() const;
  void drop_unused();

  const SupervisedData* data_;
  std::size_t functions_;
  std::size_t labels_;
  std::vector<std::size_t> feature_;  // of each candidate, rising
  std::vector<bool> unused_;          // which are candidates no longer
  std::size_t unused_count_ = 0;
  std::size_t stride_;
  std::shared_ptr<const float[]> numbers_;  // of the columns, which other rounds share
  std::vector<const float*> columns_;       // first columns of all candidates, then second ones …

  // Arrays over the candidates, as ColumnSums has them.
  std::vector<double> gram_;
  std::vector<double> on_label_;
  std::vector<double> squares_;
};

}  // namespace fsieve::methods
