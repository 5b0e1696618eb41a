// For candidate features that have equally many columns, the inner products of all of these, made
// orthogonal to a span: what CandidateGrams keeps, in plain arrays over the candidates, where
// thousands of them are a sweep over memory. In single precision, but for sums: this says who is
// worth being judged exactly.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "data/supervised_data.h"
#include "methods/forward/column_grams.h"
#include "methods/forward/column_sweeps.h"
#include "methods/forward/estimated_catch.h"
#include "methods/forward/estimated_steps.h"
#include "span/span.h"

namespace fsieve::inline methods {

class FamilyGrams {
 public:
  // Beside no span; `residual`: what is left of the label, of so many columns. `singles`: where
  // the first columns may be known.
  FamilyGrams(const SupervisedData& data, const std::vector<std::size_t>& features,
              std::size_t labels, const std::vector<double>& residual, const ColumnGrams& singles);

  // The span has grown: functions [first_function, rank) are new. `on_residual`: their inner
  // products with the residual before they came (labels per function); null if it stays the same.
  // `singles` follow the span already.
  void take_out(const Span& span, std::size_t first_function, const double* on_residual,
                const ColumnGrams& singles);
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
    return columns_.data() + (a - known_) * count();
  }
  [[nodiscard]] std::size_t place_of(std::size_t feature) const;
  [[nodiscard]] ColumnSums sums() const;
  void copy_known(const ColumnGrams& singles, std::size_t added, std::size_t first,
                  std::size_t width, float* to) const;
  void drop_unused();

  const SupervisedData* data_;
  std::size_t functions_;
  std::size_t labels_;
  std::size_t known_;                 // first columns that `singles` has: one, or none
  std::vector<std::size_t> feature_;  // of each candidate, rising
  std::vector<bool> unused_;          // which are candidates no longer
  std::size_t unused_count_ = 0;
  std::size_t stride_;
  std::shared_ptr<const float[]> numbers_;  // of the columns, which other rounds share
  // The other columns: first ones of all candidates, then second ones …
  std::vector<const float*> columns_;

  // Arrays over the candidates, as ColumnSums has them.
  std::vector<double> gram_;
  std::vector<double> on_label_;
  std::vector<double> squares_;
};

}  // namespace fsieve::methods
