#include "methods/forward/single_tests.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "data/families.h"
#include "linalg/blas.h"
#include "methods/forward/significance.h"
#include "source/whole_table.h"

namespace fsieve::inline methods {
namespace {

using blas::Op;

// A column of which the span leaves less than this share is nothing new.
constexpr double trivial = 1e-3;
// Rows in the rarest class from which on their sum of a smooth function is near enough to normal.
constexpr double some_rows = 5;

// Does one value hold half of the rows or more? Such a value wins a vote of the rows.
bool has_lump(const double* values, std::size_t rows) {
  double candidate = 0;
  std::size_t votes = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    if (votes == 0) candidate = values[i];
    votes += values[i] == candidate ? 1 : -1;
  }
  return 2 * static_cast<std::size_t>(std::count(values, values + rows, candidate)) >= rows;
}

// The largest square of functions (times √w) over the rows in units of their mean square, function
// by function.
double peak(const std::vector<double>& functions, const SupervisedData& data) {
  const std::size_t rows = data.rows();
  double largest = 0;
  for (std::size_t at = 0; at < functions.size(); at += rows) {
    double squares = 0;
    double most = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      const double square = functions[at + i] * functions[at + i];
      squares += square;
      if (data.unit[i] > 0) most = std::max(most, square / (data.unit[i] * data.unit[i]));
    }
    if (squares > 0) largest = std::max(largest, most / squares * data.weight());
  }
  return largest;
}

Span constant_span(const SupervisedData& data) {
  std::vector<double> function = data.unit;
  for (double& value : function) value /= std::sqrt(data.weight());
  return Span(std::move(function));
}

}  // namespace

SingleTests::SingleTests(const SupervisedData& data, bool curves,
                         const std::vector<std::size_t>& covariates)
    : data_(data),
      curves_(curves),
      covariates_(covariates),
      base_(constant_span(data)),
      p_values_(data.design.features.size()),
      left_out_(data.design.features.size()) {
  const std::size_t n = data.rows();
  for (const std::size_t feature : covariates) {
    std::vector<double> functions = columns_of(feature);
    if (curves && is_real(data, feature)) {
      const Block all = whole_table(*data.source);
      const std::vector<double> more = rank_polynomials(all.column(feature), all.weights);
      functions.insert(functions.end(), more.begin(), more.end());
    }
    for (std::size_t i = 0; i < functions.size(); ++i) functions[i] *= data.unit[i % n];
    base_.add(std::move(functions), trivial * data.weight());
  }
  const Label label = with_normal_scores(data.label);
  residual_ = label.scaled_columns();
  smooth_label_ = !label.classification && !has_lump(label.numbers.data(), n);
  label_peak_ = peak(residual_, data);
  const std::size_t columns = residual_.size() / n;
  std::vector<double> inner(base_.rank() * columns);
  blas::gemm(Op::transpose, Op::none, base_.rank(), columns, n, 1.0, base_.functions(), n,
             residual_.data(), n, 0.0, inner.data(), base_.rank());
  blas::gemm(Op::none, Op::none, n, columns, base_.rank(), -1.0, base_.functions(), n, inner.data(),
             base_.rank(), 1.0, residual_.data(), n);
  label_.emplace(data, residual_);
}

void SingleTests::test(std::size_t feature, const std::vector<double>& polynomials) {
  const std::size_t n = data_.rows();
  const bool smooth = !has_lump(polynomials.data(), n);
  const auto straight = polynomials.begin() + static_cast<std::ptrdiff_t>(n);
  double log = log_p({polynomials.begin(), straight}, smooth);
  if (curves_ && straight != polynomials.end()) {
    log = std::min(log, log_p(polynomials, smooth)) + std::log(2);
  }
  p_values_[feature] = std::exp(std::min(0.0, log));
}

void SingleTests::test(const std::vector<std::size_t>& features) {
  const Block all = whole_table(*data_.source);
  std::vector<double> functions;
  for (const std::size_t feature : features) {
    const std::vector<double> own = is_real(data_, feature)
                                        ? rank_polynomials(all.column(feature), all.weights)
                                        : columns_of(feature);
    functions.insert(functions.end(), own.begin(), own.end());
    left_out_[feature] = true;
  }
  left_out_[features.front()] = false;
  p_values_[features.front()] = std::exp(std::min(0.0, log_p(std::move(functions), false)));
}

std::vector<std::optional<double>> SingleTests::finish() {
  const Block all = whole_table(*data_.source);
  in_parallel(p_values_.size(), [&](std::size_t feature) {
    if (p_values_[feature] || data_.design.features[feature].constant) return;
    if (is_real(data_, feature)) {
      const auto polynomials = rank_polynomials(all.column(feature), all.weights);
      if (!polynomials.empty()) return test(feature, polynomials);
    }
    p_values_[feature] = std::exp(std::min(0.0, log_p(columns_of(feature), false)));
  });
  for (const std::size_t feature : covariates_) left_out_[feature] = true;
  for (std::size_t feature = 0; feature < p_values_.size(); ++feature) {
    if (left_out_[feature]) p_values_[feature] = std::nullopt;
  }
  return std::move(p_values_);
}

double SingleTests::log_p(std::vector<double> functions, bool smooth) const {
  const std::size_t n = data_.rows();
  const double weight = data_.weight();
  for (std::size_t i = 0; i < functions.size(); ++i) functions[i] *= data_.unit[i % n];
  const std::vector<double> added = base_.new_in(std::move(functions), trivial * weight);
  const Evidence evidence{data_, base_.rank(), residual_, added, &*label_};
  const double rare_class = weight / (1 + label_peak_);
  const double rarest_cell = rare_class / (1 + peak(added, data_));
  const bool by_f = !data_.balanced && ((smooth && rare_class >= some_rows) || smooth_label_ ||
                                        rarest_cell >= f_tail_rows);
  return by_f ? log_f_chance(evidence) : log_chance(evidence);
}

std::vector<double> SingleTests::columns_of(std::size_t feature) const {
  const DesignFeature& columns = data_.design.features[feature];
  return {data_.column(columns.first), data_.column(columns.last)};
}

}  // namespace fsieve::methods
