#include "methods/forward/round.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

#include "base/parallel.h"
#include "linalg/tiles.h"

namespace fsieve::inline methods {
namespace {

using blas::Op;

// `a` may point into `to`, which must have room.
void append_product(std::size_t n, const double* a, const double* b, std::vector<double>& to) {
  const std::size_t at = to.size();
  to.resize(at + n);
  for (std::size_t i = 0; i < n; ++i) to[at + i] = a[i] * b[i];
}

// gram += sign · F'F of few columns: for three of them the matrix routine takes longer than their
// inner products.
void add_gram(double sign, std::size_t rows, const double* columns, std::size_t count,
              std::vector<double>& gram) {
  constexpr std::size_t few = 4;
  if (count > few) {
    blas::syrk_lower(Op::transpose, count, rows, sign, columns, rows, 1.0, gram.data(), count);
    return;
  }
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = k; i < count; ++i) {
      gram[i + k * count] += sign * blas::dot(rows, columns + i * rows, columns + k * rows);
    }
  }
}

// The constant, of unit length. All functions here are times √w where rows have weights: products
// begin with the empty one, which is √w, and a factor √w is in the residual.
std::vector<double> constant(const SupervisedData& data) {
  std::vector<double> function = data.unit;
  const double scale = 1 / std::sqrt(data.weight());
  for (double& value : function) value *= scale;
  return function;
}

std::vector<std::size_t> curved_among(const SupervisedData& data,
                                      const std::vector<std::size_t>& features) {
  std::vector<std::size_t> curved;
  std::copy_if(features.begin(), features.end(), std::back_inserter(curved),
               [&](std::size_t feature) { return data.curved(feature); });
  return curved;
}

}  // namespace

// Gains are rounded, so that candidates that are worth the same (copies, or functions that explain
// all that is left) are told apart by their position, not by rounding errors.
Catch judged(const Explained& explained, double left, double total, double free) {
  const auto p = static_cast<double>(explained.rank);
  const double caught = std::min(explained.caught, left);
  const double gain = caught - p * (left - caught) / std::max(free - p, 1.0);
  const double unit = total * 1e-10;
  return {explained.rank, caught, std::round(gain / unit) * unit, 0};
}

double gain_between(double before, double left, std::size_t added, double free) {
  return before - left - static_cast<double>(added) * left / std::max(free, 1.0);
}

Round::Round(const SupervisedData& data, std::vector<std::size_t> features, int depth,
             Estimates estimates, const std::shared_ptr<blas::Accelerator>& device)
    : data_(&data),
      depth_(depth),
      label_columns_(data.label.columns()),
      free_(std::move(features)),
      span_(constant(data)),
      residual_(data.label.scaled_columns()),
      factors_{0},
      values_(data.unit),
      estimates_(estimates == Estimates::kept),
      singles_(data, of_one_column(data), label_columns_),
      grams_(data, of_many_functions(), label_columns_),
      curve_grams_(data, estimates_ ? curved_among(data, free_) : std::vector<std::size_t>{},
                   label_columns_, CandidateGrams::Columns::all) {
  total_ = left_ = blas::dot(residual_.size(), residual_.data(), residual_.data());
  if (!estimates_) return;
  if (device) {
    grams_.use(device);
    curve_grams_.use(device);
  }
  singles_.open(span_, residual_);
  grams_.open(values_, &span_, residual_);
  curve_grams_.open(data.unit, &span_, residual_);
}

// Candidates that bring one function, whatever was taken: where there are no products.
std::vector<std::size_t> Round::of_one_column(const SupervisedData& data) const {
  std::vector<std::size_t> single;
  if (!estimates_ || depth_ > 1) return single;
  std::copy_if(free_.begin(), free_.end(), std::back_inserter(single), [&](std::size_t feature) {
    return data.plain_end(feature) - data.design.features[feature].first == 1;
  });
  return single;
}

std::vector<std::size_t> Round::of_many_functions() const {
  std::vector<std::size_t> others;
  if (!estimates_) return others;
  std::copy_if(free_.begin(), free_.end(), std::back_inserter(others),
               [&](std::size_t feature) { return !singles_.has(feature); });
  return others;
}

Round Round::with_candidates_of(const SupervisedData& shuffled, bool products) const {
  Round round = *this;
  round.data_ = &shuffled;
  round.singles_ = SingleColumns(shuffled, round.of_one_column(shuffled), label_columns_);
  round.singles_.open(span_, residual_);
  round.grams_ = CandidateGrams(shuffled, round.of_many_functions(), label_columns_);
  if (!products) {
    round.factors_.resize(1);
    round.values_.resize(data_->rows());
  }
  round.grams_.open(round.values_, nullptr, residual_);
  round.grams_.take_out(round.values_, span_, 0, nullptr);
  round.curve_grams_ = CandidateGrams(shuffled, curved_among(shuffled, free_), label_columns_,
                                      CandidateGrams::Columns::all);
  round.curve_grams_.open(shuffled.unit, nullptr, residual_);
  round.curve_grams_.take_out(shuffled.unit, span_, 0, nullptr);
  return round;
}

bool Round::rows_left() const {
  const double n = data_->weight();
  return n - static_cast<double>(rank()) >= std::max(10.0, n / 20);
}

bool Round::open() const { return rows_left() && left_ > 1e-9 * total_; }

bool Round::products_fit(std::size_t feature) const {
  const std::size_t own = data_->plain_end(feature) - data_->design.features[feature].first;
  const std::size_t functions = rank() + own * subsets();
  return products_ && functions <= most_functions &&
         rows_per_function * static_cast<double>(functions) <= data_->weight();
}

Catch Round::judge(const Explained& explained) const {
  return judged(explained, left_, total_, data_->weight() - static_cast<double>(rank()));
}

// What is caught is b'x with Gx = b, for the Gram matrix G of the functions and their inner
// products b with the label. To first order it is off by 2 x'δb − x'δG x; errors are independent,
// and relative to the norms of both factors, so that is 2 r √(total w) + r w with w = Σ |x f|².
// What rounding alone seems to catch, where there is nothing, is r² total for each function times
// what an error of it grows by.
double Round::error_of(const EstimatedCatch& estimate, double rounding) const {
  if (!estimate.sure) return std::numeric_limits<double>::infinity();
  const double off = 2 * rounding * std::sqrt(total_ * estimate.weight) +
                     rounding * estimate.weight + rounding * rounding * total_ * estimate.growth;
  const auto p = static_cast<double>(estimate.explained.rank);
  const double free = data_->weight() - static_cast<double>(rank()) - p;
  return off * (1 + p / std::max(free, 1.0));
}

Catch Round::judge(const EstimatedCatch& estimate) const {
  Catch worth = judge(estimate.explained);
  worth.error = error_of(estimate, rounding_beside_span(data_->rows()));
  return worth;
}

// The error is never taken to be smaller than a few digits of single precision.
double Round::error_at_least(double gain) const {
  return 1e-3 * std::abs(gain) + 4e-6 * std::sqrt(left_ * total_);
}

std::optional<std::vector<EstimatedStep>> Round::estimate_each_alone(std::size_t reach) const {
  if (singles_.size() != free_.size()) return std::nullopt;
  const double rounding = rounding_beside_span(data_->rows());
  const double noise =
      1 / std::max(data_->weight() - static_cast<double>(rank()) - 1, 1.0);  // as judged has it
  const double least_error = error_at_least(0);
  std::vector<EstimatedStep> steps;
  std::vector<double> worst;  // what each is worth at least
  steps.reserve(free_.size());
  worst.reserve(free_.size());
  singles_.explain_each(
      trivial_single * data_->weight(), [&](std::size_t feature, const EstimatedCatch& estimate) {
        if (estimate.sure && estimate.explained.rank == 0) return;
        const double caught = std::min(estimate.explained.caught, left_);
        const double gain = caught - (left_ - caught) * noise;
        const double error =
            std::max(error_of(estimate, rounding), least_error + 1e-3 * std::abs(gain));
        steps.push_back({feature, gain, gain + error, !estimate.sure});
        worst.push_back(gain - error);
      });
  if (worst.size() <= reach) return steps;
  std::nth_element(worst.begin(), worst.begin() + static_cast<std::ptrdiff_t>(reach - 1),
                   worst.end(), std::greater<>());
  std::erase_if(steps, [&](const EstimatedStep& step) { return step.most < worst[reach - 1]; });
  return steps;
}

Catch Round::with_products(std::size_t feature) const {
  return catch_of(functions_with(feature, subsets()), trivial_product);
}

Catch Round::alone(std::size_t feature) const {
  return catch_of(functions_with(feature, 1), trivial_single);
}

Catch Round::curved(std::size_t feature) const {
  return catch_of(curved_functions(feature), trivial_single);
}

Catch Round::estimate_curved(std::size_t feature) const {
  return judge(curve_grams_.explained(feature, 1, trivial_single * data_->weight()));
}

Catch Round::estimate_with_products(std::size_t feature) const {
  const double least = trivial_product * data_->weight();
  if (singles_.has(feature)) return judge(singles_.explained(feature, least));
  if (grams_.subsets(feature) != subsets()) return with_products(feature);
  return judge(grams_.explained(feature, subsets(), least));
}

Catch Round::estimate_alone(std::size_t feature) const {
  const double least = trivial_single * data_->weight();
  return judge(singles_.has(feature) ? singles_.explained(feature, least)
                                     : grams_.explained(feature, 1, least));
}

Catch Round::catch_of(const Functions& functions, double trivial) const {
  const std::size_t count = functions.size() / data_->rows();
  const std::vector<double> in_span = span_.inner_products(functions.data(), count);
  return catch_of(functions.data(), count, in_span.data(), trivial);
}

// What functions catch, made orthogonal to the span; `in_span`: their inner products with it. The
// residual is orthogonal to the span, so only the Gram matrix changes.
Catch Round::catch_of(const double* functions, std::size_t count, const double* in_span,
                      double trivial) const {
  const std::size_t n = data_->rows();
  std::vector<double> gram(count * count);
  add_gram(1.0, n, functions, count, gram);
  add_gram(-1.0, rank(), in_span, count, gram);
  std::vector<double> on_label(label_columns_ * count);
  blas::gemm(Op::transpose, Op::none, label_columns_, count, n, 1.0, residual_.data(), n, functions,
             n, 0.0, on_label.data(), label_columns_);
  return judge(explained_by(count, gram.data(), count, trivial * data_->weight(), label_columns_,
                            on_label.data()));
}

// What each of `count` things would catch; append(k, functions) appends the functions of one. A few
// at a time, whose functions stay in cache.
template <class Append>
std::vector<Catch> Round::judge_each(std::size_t count, double trivial,
                                     const Append& append) const {
  constexpr std::size_t at_once = 16;
  const std::size_t n = data_->rows();
  std::vector<Catch> catches(count);
  tbb::enumerable_thread_specific<Functions> scratch;
  in_parallel((count + at_once - 1) / at_once, [&](std::size_t b) {
    const std::size_t last = std::min(count, (b + 1) * at_once);
    Functions& functions = scratch.local();
    functions.clear();
    std::vector<std::size_t> first_function;
    for (std::size_t k = b * at_once; k < last; ++k) {
      first_function.push_back(functions.size() / n);
      append(k, functions);
    }
    first_function.push_back(functions.size() / n);
    const std::vector<double> in_span =
        span_.inner_products(functions.data(), first_function.back());
    for (std::size_t k = b * at_once; k < last; ++k) {
      const std::size_t first = first_function[k - b * at_once];
      const std::size_t own = first_function[k - b * at_once + 1] - first;
      catches[k] =
          catch_of(functions.data() + first * n, own, in_span.data() + first * rank(), trivial);
    }
  });
  return catches;
}

std::vector<Catch> Round::of_subsets(const std::vector<std::vector<std::size_t>>& subsets) const {
  return judge_each(subsets.size(), trivial_product, [&](std::size_t k, Functions& functions) {
    append_own_functions(subsets[k], functions);
  });
}

std::vector<Catch> Round::each_alone(const std::vector<std::size_t>& features) const {
  return judge_each(features.size(), trivial_single, [&](std::size_t k, Functions& functions) {
    const Functions own = functions_with(features[k], 1);
    functions.insert(functions.end(), own.begin(), own.end());
  });
}

std::vector<Catch> Round::each_curved(const std::vector<std::size_t>& features) const {
  return judge_each(features.size(), trivial_single, [&](std::size_t k, Functions& functions) {
    const Functions own = curved_functions(features[k]);
    functions.insert(functions.end(), own.begin(), own.end());
  });
}

std::vector<double> Round::product_promises(const std::vector<std::size_t>& features) const {
  const std::size_t n = data_->rows();
  const std::size_t columns = data_->design.columns.size();
  std::vector<double> squares(columns);
  std::vector<double> inner(label_columns_ * columns);
  for (std::size_t a = 1; a < subsets(); ++a) {
    Functions weighted = residual_;
    for (std::size_t i = 0; i < weighted.size(); ++i) weighted[i] *= values_[a * n + i % n];
    blas::tiled_gemm(Op::transpose, Op::none, label_columns_, columns, n, 1.0, weighted.data(), n,
                     data_->standardised.data(), n, 0.0, inner.data(), label_columns_);
    for (std::size_t k = 0; k < inner.size(); ++k) {
      squares[k / label_columns_] += inner[k] * inner[k];
    }
  }
  std::vector<double> promises;
  for (const std::size_t feature : features) {
    double& promise = promises.emplace_back();
    for (std::size_t c = data_->design.features[feature].first; c < data_->plain_end(feature);
         ++c) {
      promise += squares[c];
    }
  }
  return promises;
}

double Round::gain_since(double left, std::size_t rank) const {
  return gain_between(left, left_, span_.rank() - rank,
                      data_->weight() - static_cast<double>(span_.rank()));
}

Round::Functions Round::functions_with(std::size_t feature, std::size_t subsets) const {
  const std::size_t n = data_->rows();
  Functions functions;
  const std::size_t first = data_->design.features[feature].first;
  const std::size_t last = data_->plain_end(feature);
  functions.reserve(subsets * (last - first) * n);
  for (std::size_t a = 0; a < subsets; ++a) {
    for (std::size_t c = first; c < last; ++c) {
      append_product(n, values_.data() + a * n, data_->column(c), functions);
    }
  }
  return functions;
}

Round::Functions Round::curved_functions(std::size_t feature) const {
  Functions functions = functions_with(feature, 1);
  const Functions curves = curves_of({feature});
  functions.insert(functions.end(), curves.begin(), curves.end());
  return functions;
}

Round::Functions Round::curves_of(const std::vector<std::size_t>& features) const {
  Functions functions;
  for (const std::size_t feature : features) {
    for (std::size_t c = data_->plain_end(feature); c < data_->design.features[feature].last; ++c) {
      append_product(data_->rows(), data_->unit.data(), data_->column(c), functions);
    }
  }
  return functions;
}

Round::Functions Round::added(Functions functions, double trivial) const {
  Span grown = span_;
  grown.add(std::move(functions), trivial * data_->weight());
  return {grown.functions(rank()), grown.functions(grown.rank())};
}

Round::Functions Round::added_with_products(std::size_t feature) const {
  return added(functions_with(feature, subsets()), trivial_product);
}

Round::Functions Round::added_alone(std::size_t feature) const {
  return added(functions_with(feature, 1), trivial_single);
}

Round::Functions Round::added_curved(std::size_t feature) const {
  return added(curved_functions(feature), trivial_single);
}

Round::Functions Round::added_subset(const std::vector<std::size_t>& features) const {
  Functions functions;
  append_own_functions(features, functions);
  return added(std::move(functions), trivial_product);
}

Round::Functions Round::added_curves(const std::vector<std::size_t>& features) const {
  return added(curves_of(features), trivial_single);
}

// All products of columns of different features of the subset, one factor at least.
void Round::append_own_functions(const std::vector<std::size_t>& features, Functions& to) const {
  const std::size_t n = data_->rows();
  const std::size_t begin = to.size();
  for (const std::size_t feature : features) {
    const std::size_t first = data_->design.features[feature].first;
    const std::size_t last = data_->plain_end(feature);
    const std::size_t earlier = to.size();
    const std::size_t room = (n + earlier - begin) * (last - first);
    if (to.capacity() < earlier + room) to.reserve(std::max(earlier + room, 2 * to.capacity()));
    for (std::size_t c = first; c < last; ++c) {
      append_product(n, data_->unit.data(), data_->column(c), to);
      for (std::size_t at = begin; at < earlier; at += n) {
        append_product(n, to.data() + at, data_->column(c), to);
      }
    }
  }
}

void Round::take_with_products(std::size_t feature) {
  take({feature}, functions_with(feature, subsets()), trivial_product);
}

void Round::take_alone(std::size_t feature) {
  take({feature}, functions_with(feature, 1), trivial_single);
}

void Round::take_curved(std::size_t feature) {
  take({feature}, curved_functions(feature), trivial_single, Brings::family);
}

void Round::take_subset(const std::vector<std::size_t>& features) {
  Functions functions;
  append_own_functions(features, functions);
  take(features, std::move(functions), trivial_product);
}

void Round::rule_out(const std::vector<std::size_t>& features) {
  for (const std::size_t feature : features) std::erase(free_, feature);
  if (!estimates_) return;
  singles_.remove(features);
  grams_.remove(features);
  curve_grams_.remove(features);
}

void Round::take(const std::vector<std::size_t>& features, Functions functions, double trivial,
                 Brings brings) {
  for (const std::size_t feature : features) {
    taken_.push_back(feature);
    std::erase(free_, feature);
  }
  grow(std::move(functions), trivial, features, brings);
}

void Round::adjust_for(const std::vector<std::size_t>& features) {
  if (features.empty()) return;
  Functions functions;
  for (const std::size_t feature : features) {
    const Functions own = curved_functions(feature);
    functions.insert(functions.end(), own.begin(), own.end());
    std::erase(free_, feature);
  }
  grow(std::move(functions), trivial_single, {}, Brings::plain);
}

void Round::add_curves(const std::vector<std::size_t>& features) {
  grow(curves_of(features), trivial_single, {}, Brings::plain);
}

// Adds functions to the span, of features that were just taken.
void Round::grow(Functions functions, double trivial, const std::vector<std::size_t>& features,
                 Brings brings) {
  const std::size_t first = rank();
  span_.add(std::move(functions), trivial * data_->weight());
  std::vector<double> on_residual;
  explain_more(first, on_residual);
  for (const std::size_t feature : features) open_subsets(feature, brings);
  if (estimates_) {
    singles_.remove(features);
    grams_.remove(features);
    curve_grams_.remove(features);
  }
  close_products();
  if (!estimates_) return;
  singles_.take_out(span_, first, on_residual);
  grams_.take_out(values_, span_, first, on_residual.data());
  grams_.open(values_, &span_, residual_);
  curve_grams_.take_out(data_->unit, span_, first, on_residual.data());
}

// Takes the functions from `first` on out of the residual; `on_residual`: their inner products with
// it before, label by label.
void Round::explain_more(std::size_t first, std::vector<double>& on_residual) {
  const std::size_t n = data_->rows();
  const std::size_t count = rank() - first;
  const double* added = span_.functions(first);
  on_residual.resize(label_columns_ * count);
  blas::gemm(Op::transpose, Op::none, label_columns_, count, n, 1.0, residual_.data(), n, added, n,
             0.0, on_residual.data(), label_columns_);
  blas::gemm(Op::none, Op::transpose, n, label_columns_, count, -1.0, added, n, on_residual.data(),
             label_columns_, 1.0, residual_.data(), n);
  left_ = blas::dot(residual_.size(), residual_.data(), residual_.data());
}

// The products that a feature just taken makes possible.
void Round::open_subsets(std::size_t feature, Brings brings) {
  const std::size_t n = data_->rows();
  const std::size_t begin = data_->design.features[feature].first;
  const std::size_t end =
      brings == Brings::family ? data_->design.features[feature].last : data_->plain_end(feature);
  const std::size_t earlier = subsets();
  for (std::size_t a = 0; products_ && a < earlier; ++a) {
    if (factors_[a] + 1 >= static_cast<std::size_t>(depth_)) continue;
    for (std::size_t c = begin; c < end; ++c) {
      factors_.push_back(factors_[a] + 1);
      values_.reserve(values_.size() + n);
      append_product(n, values_.data() + a * n, data_->column(c), values_);
    }
  }
}

// Once products of a feature do not fit they never will.
void Round::close_products() {
  bool any = false;
  for (const std::size_t feature : free_) {
    if (products_fit(feature)) {
      any = true;
      if (depth_ == 1) break;
    } else if (estimates_ && depth_ > 1) {
      grams_.forget_products(feature);
    }
  }
  products_ = any;
  if (products_) return;
  if (estimates_) grams_.forget_all_products();
  factors_.resize(1);
  values_.resize(data_->rows());
}

}  // namespace fsieve::methods
