// For every candidate feature of one column, the inner products of the functions it would bring
// into a span: its column times some products of features taken ("subsets", the empty one first),
// made orthogonal to the span. What CandidateGrams keeps for features of any number of columns, in
// plain arrays over the candidates, where thousands of them are a sweep over memory.
//
// The inner products of all these functions with those of the span are kept, so what the span
// leaves of a new one's inner products with the others follows without a pass over the rows. In
// single precision, but for sums: this says who is worth being judged exactly.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "data/supervised_data.h"
#include "methods/forward/column_products.h"
#include "methods/forward/column_sweeps.h"
#include "methods/forward/estimated_catch.h"
#include "methods/forward/estimated_steps.h"
#include "span/span.h"

namespace fsieve::inline methods {

class ColumnGrams {
 public:
  // The candidates are `features`, each with one plain column; the residual has `labels` columns.
  // `products`: will there be other subsets than the empty one?
  ColumnGrams(const SupervisedData& data, const std::vector<std::size_t>& features,
              std::size_t labels, bool products);

  // Takes over the functions of the span and the subsets that are new: `values` has all subsets,
  // the known ones first, one after another. `on_residual`: the inner products of new functions
  // with the residual before they came (labels per function); `residual`: what is left of it now.
  void follow(const std::vector<double>& values, const Span& span,
              const std::vector<double>& on_residual, const std::vector<double>& residual);
  // The features are candidates no longer.
  void remove(const std::vector<std::size_t>& features);
  // Forgets all subsets but the empty one, for good.
  void forget_products();

  [[nodiscard]] std::size_t size() const { return feature_.size() - unused_; }
  [[nodiscard]] bool has(std::size_t feature) const { return place_[feature] != nowhere; }
  // The subsets known: all, or the empty one where they are forgotten or take too much memory.
  [[nodiscard]] std::size_t subsets() const { return subsets_; }

  // What follow() computed, for sums that others keep of the same columns: their inner products
  // with function k of those that were new, at the place of each feature; with the residual.
  [[nodiscard]] std::size_t place(std::size_t feature) const { return place_[feature]; }
  [[nodiscard]] const float* with_new(std::size_t k) const { return row(new_row_ + k); }
  [[nodiscard]] double with_residual(std::size_t feature, std::size_t label) const {
    return on_label_[label * stride() + place_[feature]];
  }

  // What the functions of a candidate with its first `subsets` subsets explain, about.
  [[nodiscard]] EstimatedCatch explained(std::size_t feature, std::size_t subsets,
                                         double least) const;
  // Those of all candidates that may be among the best `reach` with their first `subsets` subsets.
  [[nodiscard]] std::vector<EstimatedStep> best(std::size_t reach, std::size_t subsets,
                                                const EstimateTerms& terms) const;
  // The features, so many at most, whose columns alone promise most of those that are new: of which
  // more than `least` is left.
  [[nodiscard]] std::vector<std::size_t> promising(std::size_t most, double least) const;

 private:
  static constexpr std::size_t nowhere = SIZE_MAX;

  // Inner products with functions of the span from `function` on, in the rows from `row` on.
  struct Segment {
    std::size_t function = 0;
    std::size_t row = 0;
  };
  struct Growth;

  [[nodiscard]] std::size_t count() const { return feature_.size(); }
  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] double* gram(std::size_t a, std::size_t b) {
    return gram_.data() + (a * (a + 1) / 2 + b) * stride();
  }
  [[nodiscard]] double* on_label(std::size_t a, std::size_t y) {
    return on_label_.data() + (a * labels_ + y) * stride();
  }
  [[nodiscard]] const float* row(std::size_t r) const { return rows_.data() + r * stride(); }
  [[nodiscard]] ColumnSums sums(std::size_t subsets) const;  // of the first subsets
  [[nodiscard]] bool too_many(std::size_t rows) const;
  void multiply(const std::vector<Factors>& factors, With with, std::size_t first,
                std::size_t width, float* to) const;
  void update(const Growth& growth, std::size_t first, std::size_t width);
  void take_no_longer(std::size_t column);
  void make_room_for_rows(std::size_t rows);
  void drop_unused();

  const SupervisedData* data_;
  std::size_t labels_;
  bool closed_;                       // to products
  std::size_t subsets_ = 0;           // known
  std::size_t functions_ = 0;         // of the span, known
  std::vector<std::size_t> place_;    // of a feature among the columns, or nowhere
  std::vector<std::size_t> feature_;  // of each column
  std::size_t stride_;                // from one array over the columns to the next
  std::size_t unused_ = 0;            // columns of no candidate any more
  // The columns as they were at first, which other rounds share, and where each is.
  std::shared_ptr<const float[]> columns_;
  std::vector<const float*> column_;
  std::vector<float> values_;  // the subsets
  std::vector<float> span_;    // its functions, where there are products

  // Arrays over the columns, as ColumnSums has them, and inner products with the span.
  std::vector<double> gram_;
  std::vector<double> on_label_;
  std::vector<double> squares_;
  std::vector<float> rows_;
  std::size_t new_row_ = 0;  // in there: of the columns alone with functions that came last
  std::vector<std::vector<Segment>> segments_;  // of each subset, in there
};

}  // namespace fsieve::methods
