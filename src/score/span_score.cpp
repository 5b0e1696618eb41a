#include "score/span_score.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "blas/blas.h"

namespace fsieve {
namespace {

// Projects a column on the span.
std::vector<double> projected(std::span<const double> basis, const std::vector<double>& y) {
  const std::size_t rank = basis.size() / y.size();
  std::vector<double> inner(rank);
  std::vector<double> result(y.size());
  blas::gemv(blas::Op::transpose, y.size(), rank, 1.0, basis.data(), y.size(), y.data(), 0.0,
             inner.data());
  blas::gemv(blas::Op::none, y.size(), rank, 1.0, basis.data(), y.size(), inner.data(), 0.0,
             result.data());
  return result;
}

std::vector<double> leverages(std::span<const double> basis, std::size_t rows) {
  std::vector<double> h(rows, 0.0);
  for (std::size_t k = 0; k < basis.size(); k += rows) {
    for (std::size_t i = 0; i < rows; ++i) h[i] += basis[k + i] * basis[k + i];
  }
  return h;
}

// 1 − sum (y_i − prediction without i)² / sum (y_i − mean of the others)².
double leave_one_out_r2(const Label& label, std::span<const double> basis,
                        const std::vector<double>& h) {
  const std::vector<double> fitted = projected(basis, label.numbers);
  const auto n = static_cast<double>(label.rows);
  double mean = 0;
  for (const double y : label.numbers) mean += y / n;
  double left = 0;
  double total = 0;
  for (std::size_t i = 0; i < label.rows; ++i) {
    const double from_others = (label.numbers[i] - mean) * n / (n - 1);
    const double free = 1 - h[i];
    // A row that the span fits by itself is predicted by the mean of the others.
    const double residual = free > 1e-10 ? (label.numbers[i] - fitted[i]) / free : from_others;
    left += residual * residual;
    total += from_others * from_others;
  }
  return 1 - left / total;
}

}  // namespace

Measure measure_of(const Label& label) {
  if (!label.classification) return Measure::q2;
  return label.classes.size() == 2 ? Measure::m_n : Measure::bayes_accuracy;
}

double span_score(const Label& label, std::span<const double> basis) {
  const std::size_t n = label.rows;
  const std::vector<double> h = leverages(basis, n);
  const Measure measure = measure_of(label);
  if (measure == Measure::q2) return leave_one_out_r2(label, basis, h);
  double total = 0;
  if (measure == Measure::m_n) {
    const std::vector<double> fitted = projected(basis, label.numbers);
    for (std::size_t i = 0; i < n; ++i) total += std::abs(fitted[i] - h[i] * label.numbers[i]);
  } else {
    std::vector<double> best(n, -1e300);
    for (std::size_t c = 0; c < label.classes.size(); ++c) {
      std::vector<double> indicator(n);
      for (std::size_t i = 0; i < n; ++i) indicator[i] = label.codes[i] == c ? 1 : 0;
      const std::vector<double> fitted = projected(basis, indicator);
      for (std::size_t i = 0; i < n; ++i) {
        best[i] = std::max(best[i], fitted[i] - h[i] * indicator[i]);
      }
    }
    for (const double value : best) total += value;
  }
  return total / (static_cast<double>(n) - 1);
}

}  // namespace fsieve
