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

// The leave-one-out Bayes accuracy of rows without weights, some at a time, column by column: side
// by side in registers. A row's own class may come in twice, without what it has more, which is
// never less than the other.
double bayes_accuracy(const Label& label, const double* residual, const double* leverages) {
  constexpr std::size_t at_once = 512;
  const std::size_t n = label.rows;
  double sum = 0;
  double best[at_once];
  for (std::size_t first = 0; first < n; first += at_once) {
    const std::size_t count = std::min(at_once, n - first);
    const double* rows = residual + first;
    for (std::size_t i = 0; i < count; ++i) best[i] = rows[label.codes[first + i] * n + i];
    for (std::size_t i = 0; i < count; ++i) best[i] -= 1 - leverages[first + i];
    for (std::size_t c = 0; c < label.columns(); ++c) {
      for (std::size_t i = 0; i < count; ++i) best[i] = std::min(best[i], rows[c * n + i]);
    }
    for (std::size_t i = 0; i < count; ++i) sum -= best[i];
  }
  return sum / (label.weight - 1);
}

// M_n of rows without weights. A sum waits for itself, and what is summed does not.
double m_n(const Label& label, const double* residual, const double* leverages) {
  constexpr std::size_t at_once = 512;
  double sum = 0;
  double parts[at_once];
  for (std::size_t first = 0; first < label.rows; first += at_once) {
    const std::size_t count = std::min(at_once, label.rows - first);
    for (std::size_t i = 0; i < count; ++i) {
      parts[i] =
          std::abs((1 - leverages[first + i]) * label.numbers[first + i] - residual[first + i]);
    }
    for (std::size_t i = 0; i < count; ++i) sum += parts[i];
  }
  return sum / (label.weight - 1);
}

}  // namespace

Measure measure_of(const Label& label) {
  if (!label.classification) return Measure::q2;
  return label.classes.size() == 2 ? Measure::m_n : Measure::bayes_accuracy;
}

// The constant is in the span, so a column less what is left of it, centred, is its projection. Of
// a number: 1 − sum (y_i − prediction without i)² / sum (y_i − mean of the others)².
void ScoreSum::add(double weight, double number, std::size_t code, const double* residual,
                   std::size_t columns, std::size_t stride, double leverage) {
  const double root = std::sqrt(weight);
  if (measure_ == Measure::q2) {
    const double from_others = (number - mean_) * n_ / (n_ - 1);
    const double free = 1 - leverage / weight;
    // A row that the span fits by itself is predicted by the mean of the others.
    const double missed = free > 1e-10 ? residual[0] / (root * free) : from_others;
    sum_ += weight * missed * missed;
    total_ += weight * from_others * from_others;
    return;
  }
  // Of one of the rows that this one stands for.
  leverage /= weight;
  if (measure_ == Measure::m_n) {
    sum_ += weight * std::abs((1 - leverage) * number - residual[0] / root);
    return;
  }
  double best = -1e300;
  for (std::size_t c = 0; c < columns; ++c) {
    const double own = code == c ? 1 - leverage : 0;
    best = std::max(best, own - residual[c * stride] / root);
  }
  sum_ += weight * best;
}

double residual_score(const Label& label, std::span<const double> residual,
                      std::span<const double> leverages) {
  const Measure measure = measure_of(label);
  if (measure == Measure::bayes_accuracy && label.weights.empty()) {
    return bayes_accuracy(label, residual.data(), leverages.data());
  }
  if (measure == Measure::m_n && label.weights.empty()) {
    return m_n(label, residual.data(), leverages.data());
  }
  double mean = 0;
  for (std::size_t i = 0; i < label.rows && measure == Measure::q2; ++i) {
    mean += label.weight_of(i) * label.numbers[i] / label.weight;
  }
  ScoreSum sum(measure, label.weight, mean);
  for (std::size_t i = 0; i < label.rows; ++i) {
    sum.add(label.weight_of(i), label.numbers.empty() ? 0 : label.numbers[i],
            label.classification ? label.codes[i] : 0, residual.data() + i, label.columns(),
            label.rows, leverages[i]);
  }
  return sum.score();
}

double span_score(const Label& label, std::span<const double> basis) {
  return residual_score(label, residual_of(label, basis), leverages_of(basis, label.rows));
}

}  // namespace fsieve::measure
