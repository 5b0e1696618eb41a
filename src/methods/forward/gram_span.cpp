#include "methods/forward/gram_span.h"

#include <cmath>

namespace fsieve::inline methods {

GramSpan::GramSpan(const FunctionSums& sums, double weight, std::size_t first_label,
                   std::size_t last_label)
    : sums_(sums),
      weight_(weight),
      first_label_(sums.span_size() + first_label),
      last_label_(sums.span_size() + last_label) {
  for (std::size_t y = first_label_; y < last_label_; ++y) left_ += sums_.of_span(y, y);
  add({0}, 0);
  total_ = left_;
}

std::vector<double> GramSpan::coordinates(const double* with_span) const {
  std::vector<double> own(rank());
  for (std::size_t k = 0; k < own.size(); ++k) {
    double sum = with_span[kept_[k]];
    for (std::size_t j = 0; j < k; ++j) sum -= rows_[k][j] * own[j];
    own[k] = sum / rows_[k][k];
  }
  return own;
}

void GramSpan::add(const std::vector<std::size_t>& functions, double least) {
  std::vector<double> inner(sums_.span_size());
  for (const std::size_t function : functions) {
    for (std::size_t k = 0; k < inner.size(); ++k) inner[k] = sums_.of_span(function, k);
    std::vector<double> row = coordinates(inner.data());
    double norm = inner[function];
    for (const double part : row) norm -= part * part;
    if (!(norm > least)) continue;
    const double length = std::sqrt(norm);
    for (std::size_t y = 0; y < labels(); ++y) {
      double sum = sums_.of_span(function, first_label_ + y);
      for (std::size_t k = 0; k < row.size(); ++k) sum -= row[k] * on_label_[k * labels() + y];
      on_label_.push_back(sum / length);
      left_ -= on_label_.back() * on_label_.back();
    }
    left_ = std::max(left_, 0.0);
    row.push_back(length);
    rows_.push_back(std::move(row));
    kept_.push_back(function);
  }
}

Catch GramSpan::caught(std::size_t group, const std::vector<std::size_t>& functions,
                       double least) const {
  const std::size_t count = functions.size();
  std::vector<std::vector<double>> own;
  std::vector<double> gram(count * count);
  std::vector<double> on_label(count * labels());
  for (std::size_t a = 0; a < count; ++a) {
    const double* with_span = sums_.with_span(group, functions[a]);
    own.push_back(coordinates(with_span));
    for (std::size_t b = 0; b <= a; ++b) {
      double sum = sums_.in_group(group, functions[a], functions[b]);
      for (std::size_t k = 0; k < rank(); ++k) sum -= own[a][k] * own[b][k];
      gram[a + b * count] = sum;
    }
    for (std::size_t y = 0; y < labels(); ++y) {
      double sum = with_span[first_label_ + y];
      for (std::size_t k = 0; k < rank(); ++k) sum -= own[a][k] * on_label_[k * labels() + y];
      on_label[a * labels() + y] = sum;
    }
  }
  const Explained explained =
      explained_by(count, gram.data(), count, least, labels(), on_label.data());
  return judged(explained, left_, total_, weight_ - static_cast<double>(rank()));
}

double GramSpan::gain_since(double left, std::size_t rank) const {
  return gain_between(left, left_, kept_.size() - rank,
                      weight_ - static_cast<double>(kept_.size()));
}

double GramSpan::free_columns() const {
  double trace = 0;
  double squares = 0;
  for (std::size_t a = 0; a < labels(); ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      double inner = sums_.of_span(first_label_ + a, first_label_ + b);
      for (std::size_t k = 0; k < rank(); ++k) {
        inner -= on_label_[k * labels() + a] * on_label_[k * labels() + b];
      }
      squares += inner * inner * (a == b ? 1 : 2);
      if (a == b) trace += inner;
    }
  }
  return labels() == 1 || !(squares > 0) ? 1 : trace * trace / squares;
}

std::vector<double> GramSpan::factor() const {
  std::vector<double> lower(rank() * rank());
  for (std::size_t i = 0; i < rank(); ++i) {
    for (std::size_t k = 0; k <= i; ++k) lower[i + k * rank()] = rows_[i][k];
  }
  return lower;
}

}  // namespace fsieve::methods
