// The measure of a set of features from the span of their functions: the projection of the label on
// it and its leverages are all that is needed (000 section 3; docs/select.md).
#pragma once

#include <cstddef>
#include <span>
#include <tuple>
#include <utility>

#include "data/label.h"
#include "fsieve/measure.h"

namespace fsieve::inline measure {

// Which measure a label has.
[[nodiscard]] Measure measure_of(const Label& label);

// The score of a span, row after row.
class ScoreSum {
 public:
  // `weight`: of all rows; `mean`: of a label that is a number.
  ScoreSum(Measure measure, double weight, double mean)
      : measure_(measure), n_(weight), mean_(mean) {}

  // A row with its weight; its label, ±1 or the number, and its class; what the span leaves of the
  // label's columns there, times √w, `stride` apart; and its leverage.
  void add(double weight, double number, std::size_t code, const double* residual,
           std::size_t columns, std::size_t stride, double leverage);
  void merge(const ScoreSum& other) {
    sum_ += other.sum_;
    total_ += other.total_;
  }

  [[nodiscard]] double score() const {
    return measure_ == Measure::q2 ? 1 - sum_ / total_ : sum_ / (n_ - 1);
  }
  [[nodiscard]] std::pair<double, double> sums() const { return {sum_, total_}; }
  void set_sums(std::pair<double, double> sums) { std::tie(sum_, total_) = sums; }

 private:
  Measure measure_;
  double n_;
  double mean_;
  double sum_ = 0;
  double total_ = 0;  // of a number: what the mean of the others leaves
};

// `basis`: orthonormal columns (unit length) of label.rows numbers, one after another, of functions
// times √w where rows have weights; the constant must be in their span. M_n (000 eq. 7) for two
// classes, the leave-one-out Bayes accuracy for more, q2 for a number.
[[nodiscard]] double span_score(const Label& label, std::span<const double> basis);

// The same from what the span leaves of the label's columns (as Label::scaled_columns gives them)
// and the leverages of the rows.
[[nodiscard]] double residual_score(const Label& label, std::span<const double> residual,
                                    std::span<const double> leverages);

}  // namespace fsieve::measure
