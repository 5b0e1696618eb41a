#include "select/round.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "basis/parity.h"
#include "blas/tiles.h"

namespace fsieve {
namespace {

using blas::Op;

// A single column of which the span leaves less than this share is nothing new: a copy.
constexpr double trivial_single = 1e-3;
// The same for products, which are more often nearly dependent.
constexpr double trivial_product = 1e-4;

std::vector<double> times(const double* a, const double* b, std::size_t n) {
  std::vector<double> product(n);
  for (std::size_t i = 0; i < n; ++i) product[i] = a[i] * b[i];
  return product;
}

}  // namespace

Round::Round(const SupervisedData& data, int depth, std::size_t most)
    : data_(&data),
      depth_(depth),
      label_columns_(data.label.columns()),
      functions_(data.rows(), 1 / std::sqrt(static_cast<double>(data.rows()))),
      residual_(data.label.centred_columns()) {
  const std::size_t n = data.rows();
  total_ = left_ = blas::dot(residual_.size(), residual_.data(), residual_.data());
  const double columns = static_cast<double>(data.design.columns.size()) /
                         static_cast<double>(std::max<std::size_t>(data.features.size(), 1));
  const bool single = columns <= 1;  // else one feature may bring any number of columns
  const double bound = single ? parity_count(most, depth) : static_cast<double>(n);
  most_functions_ = static_cast<std::size_t>(std::min(bound, static_cast<double>(n))) + 1;

  measure_pairs();
  Subset none;
  none.values.assign(n, 1.0);
  subsets_.push_back(std::move(none));
  measure_subsets(0);
}

void Round::measure_pairs() {
  const std::size_t n = data_->rows();
  pair_start_.clear();
  pair_values_.clear();
  pairs_ = 0;
  for (const DesignFeature& feature : data_->design.features) {
    pair_start_.push_back(pairs_);
    for (std::size_t c = feature.first; c < feature.last; ++c) {
      for (std::size_t other = feature.first; other <= c; ++other) {
        const auto product = times(data_->column(c), data_->column(other), n);
        pair_values_.insert(pair_values_.end(), product.begin(), product.end());
        ++pairs_;
      }
    }
  }
}

Round Round::with_candidates_of(const SupervisedData& shuffled) const {
  Round round = *this;
  round.data_ = &shuffled;
  round.raw_.clear();
  round.measure_pairs();
  round.measure_subsets(0);
  return round;
}

bool Round::open() const {
  const auto n = static_cast<double>(data_->rows());
  return n - static_cast<double>(rank_) >= std::max(10.0, n / 20) && left_ > 1e-9 * total_;
}

bool Round::products_fit(std::size_t feature) const {
  const DesignFeature& columns = data_->design.features[feature];
  return products_ &&
         2 * (rank_ + (columns.last - columns.first) * subsets_.size()) <= data_->rows();
}

Catch Round::judge(std::size_t functions, double caught) const {
  const auto p = static_cast<double>(functions);
  const double free = static_cast<double>(data_->rows()) - static_cast<double>(rank_) - p;
  return {functions, caught, caught - p * (left_ - caught) / std::max(free, 1.0)};
}

// The functions (column of the feature) x (first `subsets` subsets), made orthogonal to the span by
// their inner products alone: a Cholesky factorisation that skips what is nearly dependent.
Catch Round::solve(std::size_t feature, std::size_t subsets, double trivial) const {
  const DesignFeature& columns = data_->design.features[feature];
  const std::size_t own = columns.last - columns.first;
  const double least = trivial * static_cast<double>(data_->rows());
  std::vector<std::vector<double>> rows;                  // of the factor, over the kept functions
  std::vector<std::pair<std::size_t, std::size_t>> kept;  // (subset, column)
  double caught = 0;
  std::vector<std::vector<double>> on_label;  // of each kept function, made orthonormal
  for (std::size_t a = 0; a < subsets; ++a) {
    for (std::size_t c = 0; c < own; ++c) {
      const auto inner = [&](std::size_t b, std::size_t other) {
        const std::size_t high = std::max(c, other);
        const std::size_t pair = pair_start_[feature] + high * (high + 1) / 2 + std::min(c, other);
        const double raw = raw_[std::max(a, b)][std::min(a, b)][pair];
        const double* one = subsets_[a].on_span.data() + (columns.first + c) * most_functions_;
        const double* two = subsets_[b].on_span.data() + (columns.first + other) * most_functions_;
        return raw - blas::dot(rank_, one, two);
      };
      std::vector<double> row;
      double left = inner(a, c);
      for (std::size_t k = 0; k < kept.size(); ++k) {
        double value = inner(kept[k].first, kept[k].second);
        value -= blas::dot(k, row.data(), rows[k].data());
        row.push_back(value / rows[k][k]);
        left -= row.back() * row.back();
      }
      if (left <= least) continue;
      const double norm = std::sqrt(left);
      std::vector<double> label(label_columns_);
      for (std::size_t y = 0; y < label_columns_; ++y) {
        double value = subsets_[a].on_residual[y + (columns.first + c) * label_columns_];
        for (std::size_t k = 0; k < kept.size(); ++k) value -= row[k] * on_label[k][y];
        label[y] = value / norm;
        caught += label[y] * label[y];
      }
      row.push_back(norm);
      rows.push_back(std::move(row));
      on_label.push_back(std::move(label));
      kept.emplace_back(a, c);
    }
  }
  return judge(kept.size(), std::min(caught, left_));
}

Catch Round::with_products(std::size_t feature) const {
  return solve(feature, subsets_.size(), trivial_product);
}

Catch Round::alone(std::size_t feature) const { return solve(feature, 1, trivial_single); }

Round::Functions Round::functions_with(std::size_t feature, std::size_t subsets) const {
  Functions functions;
  const DesignFeature& columns = data_->design.features[feature];
  for (std::size_t a = 0; a < subsets; ++a) {
    for (std::size_t c = columns.first; c < columns.last; ++c) {
      const auto product = times(subsets_[a].values.data(), data_->column(c), data_->rows());
      functions.insert(functions.end(), product.begin(), product.end());
    }
  }
  return functions;
}

// All products of columns of different features of the subset, one factor at least.
Round::Functions Round::own_functions(const std::vector<std::size_t>& features) const {
  std::vector<std::vector<double>> products{std::vector<double>(data_->rows(), 1.0)};
  for (const std::size_t feature : features) {
    const DesignFeature& columns = data_->design.features[feature];
    const std::size_t earlier = products.size();
    for (std::size_t p = 0; p < earlier; ++p) {
      for (std::size_t c = columns.first; c < columns.last; ++c) {
        products.push_back(times(products[p].data(), data_->column(c), data_->rows()));
      }
    }
  }
  Functions functions;
  for (std::size_t p = 1; p < products.size(); ++p) {
    functions.insert(functions.end(), products[p].begin(), products[p].end());
  }
  return functions;
}

// Two passes of classical Gram-Schmidt against the span.
void Round::take_out(Functions& functions) const {
  const std::size_t n = data_->rows();
  const std::size_t count = functions.size() / n;
  std::vector<double> inner(rank_ * count);
  for (int pass = 0; pass < 2; ++pass) {
    blas::gemm(Op::transpose, Op::none, rank_, count, n, 1.0, functions_.data(), n,
               functions.data(), n, 0.0, inner.data(), rank_);
    blas::gemm(Op::none, Op::none, n, count, rank_, -1.0, functions_.data(), n, inner.data(), rank_,
               1.0, functions.data(), n);
  }
}

namespace {

// Makes columns that are orthogonal to the span orthonormal among themselves; those of which less
// than `least` (squared) is left go.
std::vector<double> orthonormal(std::vector<double> columns, std::size_t n, double least) {
  std::vector<double> kept;
  for (std::size_t at = 0; at < columns.size(); at += n) {
    double* column = columns.data() + at;
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t k = 0; k < kept.size(); k += n) {
        blas::axpy(n, -blas::dot(n, kept.data() + k, column), kept.data() + k, column);
      }
    }
    const double square = blas::dot(n, column, column);
    if (square <= least) continue;
    const double scale = 1 / std::sqrt(square);
    for (std::size_t i = 0; i < n; ++i) kept.push_back(column[i] * scale);
  }
  return kept;
}

}  // namespace

Catch Round::of_subset(const std::vector<std::size_t>& features) const {
  const std::size_t n = data_->rows();
  Functions functions = own_functions(features);
  take_out(functions);
  const std::vector<double> kept =
      orthonormal(std::move(functions), n, trivial_product * static_cast<double>(n));
  double caught = 0;
  for (std::size_t k = 0; k < kept.size(); k += n) {
    for (std::size_t y = 0; y < label_columns_; ++y) {
      caught += std::pow(blas::dot(n, kept.data() + k, residual_.data() + y * n), 2);
    }
  }
  return judge(kept.size() / n, std::min(caught, left_));
}

void Round::take_with_products(std::size_t feature) {
  take({feature}, functions_with(feature, subsets_.size()), trivial_product);
}

void Round::take_alone(std::size_t feature) {
  take({feature}, functions_with(feature, 1), trivial_single);
}

void Round::take_subset(const std::vector<std::size_t>& features) {
  take(features, own_functions(features), trivial_product);
}

void Round::take(const std::vector<std::size_t>& features, Functions functions, double trivial) {
  const std::size_t n = data_->rows();
  take_out(functions);
  const std::vector<double> added =
      orthonormal(std::move(functions), n, trivial * static_cast<double>(n));
  const std::size_t first = rank_;
  functions_.insert(functions_.end(), added.begin(), added.end());
  rank_ += added.size() / n;
  for (std::size_t k = 0; k < added.size(); k += n) {
    for (std::size_t y = 0; y < label_columns_; ++y) {
      double* column = residual_.data() + y * n;
      blas::axpy(n, -blas::dot(n, added.data() + k, column), added.data() + k, column);
    }
  }
  left_ = blas::dot(residual_.size(), residual_.data(), residual_.data());
  const std::size_t first_subset = subsets_.size();
  for (const std::size_t feature : features) {
    taken_.push_back(feature);
    open_subsets(feature);
  }
  project_candidates(first);
  measure_subsets(first_subset);
}

// The products that a feature just taken makes possible.
void Round::open_subsets(std::size_t feature) {
  const DesignFeature& columns = data_->design.features[feature];
  const std::size_t earlier = subsets_.size();
  for (std::size_t a = 0; a < earlier; ++a) {
    if (subsets_[a].factors + 1 >= static_cast<std::size_t>(depth_)) continue;
    for (std::size_t c = columns.first; c < columns.last; ++c) {
      Subset product;
      product.factors = subsets_[a].factors + 1;
      product.values = times(subsets_[a].values.data(), data_->column(c), data_->rows());
      subsets_.push_back(std::move(product));
    }
  }
  // Once products would take more than half of the rows they always will.
  products_ = products_ && 2 * (rank_ + subsets_.size()) <= data_->rows();
  if (!products_) subsets_.resize(1);
}

// Inner products of every candidate function with the functions [first, rank) of the span: for each
// subset, (values · functions)^T times all design columns, one matrix product.
void Round::project_candidates(std::size_t first) {
  const std::size_t n = data_->rows();
  const std::size_t count = rank_ - first;
  const std::size_t columns = data_->design.columns.size();
  std::vector<double> scaled(n * count);
  for (Subset& subset : subsets_) {
    if (subset.on_span.size() == 0) continue;  // new: measured whole below
    for (std::size_t k = 0; k < count; ++k) {
      const double* function = functions_.data() + (first + k) * n;
      for (std::size_t i = 0; i < n; ++i) scaled[k * n + i] = function[i] * subset.values[i];
    }
    blas::tiled_gemm(Op::transpose, Op::none, count, columns, n, 1.0, scaled.data(), n,
                     data_->standardised.data(), n, 0.0, subset.on_span.data() + first,
                     most_functions_);
    measure_residual(subset);
  }
}

void Round::measure_residual(Subset& subset) const {
  const std::size_t n = data_->rows();
  const std::size_t columns = data_->design.columns.size();
  std::vector<double> scaled(n * label_columns_);
  for (std::size_t y = 0; y < label_columns_; ++y) {
    for (std::size_t i = 0; i < n; ++i) {
      scaled[y * n + i] = residual_[y * n + i] * subset.values[i];
    }
  }
  subset.on_residual.resize(label_columns_ * columns);
  blas::tiled_gemm(Op::transpose, Op::none, label_columns_, columns, n, 1.0, scaled.data(), n,
                   data_->standardised.data(), n, 0.0, subset.on_residual.data(), label_columns_);
}

// Everything about the subsets from `first` on.
void Round::measure_subsets(std::size_t first) {
  const std::size_t n = data_->rows();
  const std::size_t columns = data_->design.columns.size();
  for (std::size_t a = first; a < subsets_.size(); ++a) {
    Subset& subset = subsets_[a];
    subset.on_span = Buffer(most_functions_ * columns);
    std::vector<double> scaled(n * rank_);
    for (std::size_t k = 0; k < rank_; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        scaled[k * n + i] = functions_[k * n + i] * subset.values[i];
      }
    }
    blas::tiled_gemm(Op::transpose, Op::none, rank_, columns, n, 1.0, scaled.data(), n,
                     data_->standardised.data(), n, 0.0, subset.on_span.data(), most_functions_);
    measure_residual(subset);

    // With every subset up to this one: products of two columns of a feature times both values.
    std::vector<double> both(n * (a + 1));
    for (std::size_t b = 0; b <= a; ++b) {
      for (std::size_t i = 0; i < n; ++i)
        both[b * n + i] = subset.values[i] * subsets_[b].values[i];
    }
    std::vector<double> products(pairs_ * (a + 1));
    blas::tiled_gemm(Op::transpose, Op::none, pairs_, a + 1, n, 1.0, pair_values_.data(), n,
                     both.data(), n, 0.0, products.data(), pairs_);
    raw_.resize(a);
    raw_.emplace_back();
    for (std::size_t b = 0; b <= a; ++b) {
      raw_[a].emplace_back(products.begin() + static_cast<std::ptrdiff_t>(b * pairs_),
                           products.begin() + static_cast<std::ptrdiff_t>((b + 1) * pairs_));
    }
  }
}

}  // namespace fsieve
