// The label as the projection kernel takes it apart: its columns, and what a row adds to a score.
#pragma once

#include <cstddef>
#include <vector>

#include "data/supervised_data.h"
#include "fsieve/measure.h"
#include "methods/union/sweep.h"

namespace fsieve::inline methods {

class ProjectedLabel {
 public:
  explicit ProjectedLabel(const SupervisedData& data);

  [[nodiscard]] Measure measure() const { return measure_; }
  // How many columns are projected: 1, or one per class for bayes_accuracy.
  [[nodiscard]] std::size_t columns() const { return count_; }
  [[nodiscard]] const double* column(std::size_t k) const { return columns_.data() + k * rows_; }
  // Times √w where rows have weights; one after another.
  [[nodiscard]] const double* scaled_columns() const {
    return unit_columns_.empty() ? columns_.data() : unit_columns_.data();
  }
  // Of a single column.
  [[nodiscard]] double mean() const { return mean_; }
  // y / n, per row.
  [[nodiscard]] const double* over_n() const { return over_n_.data(); }
  [[nodiscard]] SweepLabel for_sweeps() const {
    return {measure_, rows_, count_, y_.data(), over_n_.data()};
  }

  // What a row adds to the sum of a score, without its weight: its leverage, and the fitted label's
  // columns there, `stride` apart.
  [[nodiscard]] double row_part(std::size_t row, double leverage, const double* fitted,
                                std::size_t stride) const;
  // The score that a sum over all rows makes.
  [[nodiscard]] double finished(double sum) const;

 private:
  const Label* label_;
  Measure measure_;
  std::size_t rows_;
  double n_;  // weight of all rows
  std::size_t count_ = 1;
  std::vector<double> y_;  // ±1, the class code, or the centred number
  std::vector<double> over_n_;
  std::vector<double> columns_, unit_columns_;
  double mean_ = 0;
  double total_ = 0;  // of a number: what the mean of the others leaves
};

}  // namespace fsieve::methods
