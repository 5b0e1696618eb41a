#include "methods/union/projected_label.h"

#include <algorithm>
#include <cmath>

#include "linalg/blas.h"
#include "measure/span_score.h"

namespace fsieve::inline methods {
namespace {

// A row that its functions fit whatever its label is tells nothing of the others.
constexpr double fitted_alone = 1e-10;

}  // namespace

ProjectedLabel::ProjectedLabel(const SupervisedData& data)
    : label_(&data.label), measure_(measure_of(data.label)), rows_(data.rows()), n_(data.weight()) {
  const Label& label = *label_;
  if (measure_ == Measure::bayes_accuracy) count_ = label.classes.size();
  y_.resize(rows_);
  over_n_.resize(rows_);
  columns_.resize(rows_ * count_);
  double centre = 0;
  if (measure_ == Measure::q2) {
    for (std::size_t i = 0; i < rows_; ++i) centre += label.weight_of(i) * label.numbers[i] / n_;
  }
  for (std::size_t i = 0; i < rows_; ++i) {
    if (measure_ == Measure::bayes_accuracy) {
      y_[i] = static_cast<double>(label.codes[i]);
      columns_[label.codes[i] * rows_ + i] = 1;
    } else {
      y_[i] = columns_[i] = label.numbers[i] - centre;
    }
    over_n_[i] = y_[i] / n_;
    const double from_others = y_[i] * n_ / (n_ - 1);
    total_ += label.weight_of(i) * from_others * from_others;
  }
  if (data.weighted()) {
    unit_columns_ = columns_;
    for (std::size_t k = 0; k < unit_columns_.size(); ++k) unit_columns_[k] *= data.unit[k % rows_];
  }
  mean_ = blas::dot(rows_, columns_.data(), std::vector<double>(rows_, 1.0).data()) / n_;
}

double ProjectedLabel::row_part(std::size_t row, double leverage, const double* fitted,
                                std::size_t stride) const {
  if (measure_ == Measure::m_n) return std::abs(fitted[0] - leverage * y_[row]);
  if (measure_ == Measure::q2) {
    const double residual = 1 - leverage > fitted_alone ? (y_[row] - fitted[0]) / (1 - leverage)
                                                        : y_[row] * n_ / (n_ - 1);
    return residual * residual;
  }
  double best = -1e300;
  for (std::size_t k = 0; k < count_; ++k) {
    const double own = label_->codes[row] == k ? leverage : 0;
    best = std::max(best, fitted[k * stride] - own);
  }
  return best;
}

double ProjectedLabel::finished(double sum) const {
  if (measure_ == Measure::q2) return 1 - sum / total_;
  return sum / (n_ - 1);
}

}  // namespace fsieve::methods
