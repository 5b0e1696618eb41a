#include "measure/growing_score.h"

#include "linalg/blas.h"
#include "measure/span_score.h"

namespace fsieve::inline measure {

using blas::Op;

GrowingScore::GrowingScore(const Label& label, bool followed)
    : label_(&label), followed_(followed), leverages_(label.rows) {
  if (!followed) residual_ = label.scaled_columns();
}

void GrowingScore::add(std::span<const double> functions) {
  const std::size_t n = label_->rows;
  const std::size_t count = functions.size() / n;
  for (std::size_t k = 0; k < count; ++k) {
    const double* function = functions.data() + k * n;
    for (std::size_t i = 0; i < n; ++i) leverages_[i] += function[i] * function[i];
  }
  functions_ += count;
  if (followed_ || count == 0) return;
  const std::size_t labels = label_->columns();
  std::vector<double> inner(count * labels);
  blas::gemm(Op::transpose, Op::none, count, labels, n, 1.0, functions.data(), n, residual_.data(),
             n, 0.0, inner.data(), count);
  blas::gemm(Op::none, Op::none, n, labels, count, -1.0, functions.data(), n, inner.data(), count,
             1.0, residual_.data(), n);
}

double GrowingScore::score(std::span<const double> residual) const {
  return residual_score(*label_, followed_ ? residual : std::span<const double>(residual_),
                        leverages_);
}

}  // namespace fsieve::measure
