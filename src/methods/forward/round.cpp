#include "methods/forward/round.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "linalg/tiles.h"
#include "methods/forward/append_product.h"

namespace fsieve::inline methods {
namespace {

using blas::Op;

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
      estimated_(rank()),
      singles_(data, device && depth > 1 ? std::vector<std::size_t>{} : of_one_column(data),
               label_columns_, depth > 1),
      grams_(data, of_many_functions(), label_columns_),
      curve_grams_(data,
                   estimates_ && device ? curved_among(data, free_) : std::vector<std::size_t>{},
                   label_columns_, CandidateGrams::Columns::all) {
  total_ = left_ = blas::dot(residual_.size(), residual_.data(), residual_.data());
  if (!estimates_) return;
  if (device) {
    grams_.use(device);
    curve_grams_.use(device);
  }
  singles_.follow(values_, span_, {}, residual_);
  if (!device) {
    curves_.emplace(data, curved_among(data, free_), label_columns_, span_, residual_, singles_);
  }
  grams_.open(values_, &span_, residual_);
  curve_grams_.open(data.unit, &span_, residual_);
}

// Candidates whose functions a sweep over all of them estimates; a device has a way of its own.
std::vector<std::size_t> Round::of_one_column(const SupervisedData& data) const {
  std::vector<std::size_t> single;
  if (!estimates_) return single;
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
  round.estimated_ = rank();
  round.on_residual_.clear();
  round.singles_ =
      ColumnGrams(shuffled, round.of_one_column(shuffled), label_columns_, depth_ > 1 && products);
  round.grams_ = CandidateGrams(shuffled, round.of_many_functions(), label_columns_);
  if (!products) {
    round.factors_.resize(1);
    round.values_.resize(data_->rows());
  }
  round.singles_.follow(round.values_, span_, {}, residual_);
  round.grams_.open(round.values_, nullptr, residual_);
  round.grams_.take_out(round.values_, span_, 0, nullptr);
  round.curve_grams_ = CandidateGrams(shuffled, {}, label_columns_);
  round.curves_.emplace(shuffled, curved_among(shuffled, free_), label_columns_, span_, residual_,
                        round.singles_);
  return round;
}

bool Round::rows_left() const {
  const double n = data_->weight();
  return n - static_cast<double>(rank()) >= std::max(10.0, n / 20);
}

bool Round::open() const { return rows_left() && left_ > 1e-9 * total_; }

bool Round::products_fit(std::size_t feature) const {
  return products_fit_of(data_->plain_end(feature) - data_->design.features[feature].first);
}

bool Round::carries(std::size_t functions) const {
  return rows_per_function * static_cast<double>(rank() + functions) <= data_->weight();
}

bool Round::products_fit_of(std::size_t columns) const {
  const std::size_t functions = rank() + columns * subsets();
  return products_ && functions <= most_functions &&
         rows_per_function * static_cast<double>(functions) <= data_->weight();
}

void Round::take_with_products(std::size_t feature) {
  take({feature}, functions_with(feature, subsets()), trivial_product);
}

// The span is many MiB, which are gone through for each column that it is taken out of: columns
// that promise much have it taken out together with one that is taken, and then only what came
// since.
void Round::take_alone(std::size_t feature) {
  constexpr std::size_t large_span = std::size_t{1} << 17U;  // numbers
  if (rank() * data_->rows() >= large_span && singles_.has(feature)) prepare(feature);
  const auto prepared = prepared_.extract(feature);
  if (prepared.empty()) return take({feature}, functions_with(feature, 1), trivial_single);
  Prepared& known = prepared.mapped();
  taken_.push_back(feature);
  std::erase(free_, feature);
  grow(std::move(known.column), trivial_single, {feature}, Brings::plain, known.functions);
}

void Round::prepare(std::size_t feature) {
  constexpr std::size_t at_once = 8;
  if (prepared_.contains(feature)) return;
  const std::size_t n = data_->rows();
  std::vector<std::size_t> features = singles_.promising(at_once, trivial_single * data_->weight());
  std::erase_if(features, [&](std::size_t f) { return f == feature || prepared_.contains(f); });
  features.push_back(feature);
  Functions columns;
  columns.reserve(features.size() * n);
  for (const std::size_t f : features) {
    append_product(n, data_->unit.data(), data_->column(data_->design.features[f].first), columns);
  }
  span_.take_out(columns.data(), features.size());
  for (std::size_t k = 0; k < features.size(); ++k) {
    const double* const column = columns.data() + k * n;
    prepared_[features[k]] = {rank(), {column, column + n}};
  }
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
  forget(features);
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

void Round::add(const std::vector<double>& functions) { grow_by(functions, {}, Brings::plain); }

// Adds functions to the span, of features that were just taken.
// Of them the span was taken out up to its function `out`.
void Round::grow(Functions functions, double trivial, const std::vector<std::size_t>& features,
                 Brings brings, std::size_t out) {
  grow_by(span_.new_in(std::move(functions), trivial * data_->weight(), out), features, brings);
}

// Adds orthonormal functions.
void Round::grow_by(const Functions& functions, const std::vector<std::size_t>& features,
                    Brings brings) {
  const std::size_t first = rank();
  span_.append(functions);
  const std::vector<double> on_residual = explain_more(first);
  for (const std::size_t feature : features) open_subsets(feature, brings);
  if (estimates_) {
    forget(features);
    on_residual_.insert(on_residual_.end(), on_residual.begin(), on_residual.end());
  }
  close_products();
}

void Round::update_estimates() {
  if (!estimates_) return;
  if (curves_) curves_->forget_unless([&](std::size_t functions) { return carries(functions); });
  singles_.follow(values_, span_, on_residual_, residual_);
  grams_.take_out(values_, span_, estimated_, on_residual_.data());
  grams_.open(values_, &span_, residual_);
  curve_grams_.take_out(data_->unit, span_, estimated_, on_residual_.data());
  if (curves_) curves_->take_out(span_, estimated_, on_residual_.data(), singles_);
  estimated_ = rank();
  on_residual_.clear();
}

// They are candidates no longer.
void Round::forget(const std::vector<std::size_t>& features) {
  singles_.remove(features);
  grams_.remove(features);
  curve_grams_.remove(features);
  if (curves_) curves_->remove(features);
}

// Takes the functions from `first` on out of the residual; returns their inner products with it
// before, label by label.
std::vector<double> Round::explain_more(std::size_t first) {
  const std::size_t n = data_->rows();
  const std::size_t count = rank() - first;
  const double* added = span_.functions(first);
  std::vector<double> on_residual(label_columns_ * count);
  blas::gemm(Op::transpose, Op::none, label_columns_, count, n, 1.0, residual_.data(), n, added, n,
             0.0, on_residual.data(), label_columns_);
  blas::gemm(Op::none, Op::transpose, n, label_columns_, count, -1.0, added, n, on_residual.data(),
             label_columns_, 1.0, residual_.data(), n);
  left_ = blas::dot(residual_.size(), residual_.data(), residual_.data());
  return on_residual;
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
  bool any = singles_.size() > 0 && products_fit_of(1);
  for (const std::size_t feature : free_) {
    if (singles_.size() == free_.size()) break;
    if (singles_.has(feature)) continue;
    if (products_fit(feature)) {
      any = true;
    } else if (estimates_ && depth_ > 1) {
      grams_.forget_products(feature);
    }
  }
  products_ = any;
  if (products_) return;
  if (estimates_) singles_.forget_products();
  if (estimates_) grams_.forget_all_products();
  factors_.resize(1);
  values_.resize(data_->rows());
}

}  // namespace fsieve::methods
