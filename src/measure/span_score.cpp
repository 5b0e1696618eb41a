#include "measure/span_score.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/blas.h"

namespace fsieve::inline measure {
namespace {

// What the span leaves of the label's columns, times √w.
std::vector<double> residual_of(const Label& label, std::span<const double> basis) {
  const std::size_t n = label.rows;
  const std::size_t rank = basis.size() / n;
  const std::size_t labels = label.columns();
  std::vector<double> residual = label.scaled_columns();
  std::vector<double> inner(rank * labels);
  blas::gemm(blas::Op::transpose, blas::Op::none, rank, labels, n, 1.0, basis.data(), n,
             residual.data(), n, 0.0, inner.data(), rank);
  blas::gemm(blas::Op::none, blas::Op::none, n, labels, rank, -1.0, basis.data(), n, inner.data(),
             rank, 1.0, residual.data(), n);
  return residual;
}

std::vector<double> leverages_of(std::span<const double> basis, std::size_t rows) {
  std::vector<double> h(rows, 0.0);
  for (std::size_t k = 0; k < basis.size(); k += rows) {
    for (std::size_t i = 0; i < rows; ++i) h[i] += basis[k + i] * basis[k + i];
  }
  return h;
}

// 1 − sum (y_i − prediction without i)² / sum (y_i − mean of the others)².
double leave_one_out_r2(const Label& label, std::span<const double> residual,
                        std::span<const double> h) {
  const double n = label.weight;
  double mean = 0;
  for (std::size_t i = 0; i < label.rows; ++i) mean += label.weight_of(i) * label.numbers[i] / n;
  double left = 0;
  double total = 0;
  for (std::size_t i = 0; i < label.rows; ++i) {
    const double from_others = (label.numbers[i] - mean) * n / (n - 1);
    const double weight = label.weight_of(i);
    const double free = 1 - h[i] / weight;
    // A row that the span fits by itself is predicted by the mean of the others.
    const double missed = free > 1e-10 ? residual[i] / (std::sqrt(weight) * free) : from_others;
    left += weight * missed * missed;
    total += weight * from_others * from_others;
  }
  return 1 - left / total;
}

}  // namespace

Measure measure_of(const Label& label) {
  if (!label.classification) return Measure::q2;
  return label.classes.size() == 2 ? Measure::m_n : Measure::bayes_accuracy;
}

// The constant is in the span, so a column less what is left of it, centred, is its projection.
double residual_score(const Label& label, std::span<const double> residual,
                      std::span<const double> leverages) {
  const std::size_t n = label.rows;
  const Measure measure = measure_of(label);
  if (measure == Measure::q2) return leave_one_out_r2(label, residual, leverages);
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    // Of one of the rows that this one stands for.
    const double weight = label.weight_of(i);
    const double root = std::sqrt(weight);
    const double leverage = leverages[i] / weight;
    if (measure == Measure::m_n) {
      total += weight * std::abs((1 - leverage) * label.numbers[i] - residual[i] / root);
      continue;
    }
    double best = -1e300;
    for (std::size_t c = 0; c < label.classes.size(); ++c) {
      const double own = label.codes[i] == c ? 1 - leverage : 0;
      best = std::max(best, own - residual[c * n + i] / root);
    }
    total += weight * best;
  }
  return total / (label.weight - 1);
}

double span_score(const Label& label, std::span<const double> basis) {
  return residual_score(label, residual_of(label, basis), leverages_of(basis, label.rows));
}

}  // namespace fsieve::measure
