#include "methods/forward/column_grams.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "base/large_pages.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "linalg/blas.h"
#include "linalg/column_dots.h"
#include "linalg/narrow.h"
#include "methods/forward/column_arrays.h"
#include "methods/forward/column_estimates.h"

namespace fsieve::inline methods {
namespace {

using blas::Op;

// Numbers that the inner products with the span may take, unless the data take more.
constexpr std::size_t most_inner_products = std::size_t{1} << 27U;
constexpr std::size_t most_per_cell = 6;

// Columns, functions and rows that are multiplied at a time: half a MiB of functions, which are
// made on the fly. Of a few functions more columns, since what a block costs by itself counts more.
constexpr std::size_t columns_at_once = 128;
constexpr std::size_t many_columns_at_once = 1024;
constexpr std::size_t products_at_once = 256;
constexpr std::size_t rows_at_once = 512;

constexpr double no_candidate = -std::numeric_limits<double>::infinity();

void make_product(std::size_t n, const float* a, const float* b, float* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = a[i] * b[i];
}

// Takes over the numbers that are new.
void narrow_new(const double* all, std::size_t count, std::vector<float>& to) {
  const std::size_t known = std::min(to.size(), count);
  to.resize(count);
  blas::narrow(count - known, all + known, to.data() + known);
}

}  // namespace

// What is new, and in which rows its inner products come to lie: those of known subsets with new
// functions, then those of new subsets with all functions, with the residual, and with subsets.
struct ColumnGrams::Growth {
  std::size_t known_subsets, known_functions;
  std::size_t subsets, functions;  // now
  std::size_t first_row;           // of all that is new
  std::size_t label_row;           // of new subsets with the residual
  std::size_t square_row;          // of pairs of subsets with squares of columns
  std::vector<Factors> with_columns;
  std::vector<Factors> with_squares;
  std::vector<float> caught;  // of the residual, by the new functions

  [[nodiscard]] std::size_t added() const { return functions - known_functions; }
};

ColumnGrams::ColumnGrams(const SupervisedData& data, const std::vector<std::size_t>& features,
                         std::size_t labels, bool products)
    : data_(&data),
      labels_(labels),
      closed_(!products),
      place_(data.design.features.size(), nowhere),
      feature_(features),
      stride_(stride_for(features.size())) {
  const std::size_t n = data.rows();
  const std::size_t numbers = n * count();
  const std::shared_ptr<float[]> columns(new float[numbers + blas::rows_of_dots]);
  use_large_pages(columns.get(), numbers * sizeof(float));
  in_parallel(count(), [&](std::size_t c) {
    blas::narrow(n, data.column(data.design.features[features[c]].first), columns.get() + c * n);
  });
  std::fill_n(columns.get() + numbers, blas::rows_of_dots, 0.0F);
  columns_ = columns;
  for (std::size_t c = 0; c < count(); ++c) {
    place_[features[c]] = c;
    column_.push_back(columns_.get() + c * n);
  }
}

bool ColumnGrams::too_many(std::size_t rows) const {
  return rows * count() > std::max(most_inner_products, most_per_cell * data_->rows() * count());
}

void ColumnGrams::follow(const std::vector<double>& values, const Span& span,
                         const std::vector<double>& on_residual,
                         const std::vector<double>& residual) {
  if (feature_.empty()) return;
  const std::size_t n = data_->rows();
  const std::size_t asked = closed_ ? 1 : values.size() / n;
  if (!closed_ && too_many(asked * span.rank())) forget_products();

  Growth growth{subsets_, functions_, closed_ ? 1 : asked, span.rank(), 0, 0, 0, {}, {}, {}};
  narrow_new(values.data(), growth.subsets * n, values_);
  // Without products functions of the span are needed once.
  const std::vector<float> once =
      closed_ ? blas::narrowed(span.functions(functions_), growth.added() * n)
              : std::vector<float>();
  if (!closed_) narrow_new(span.functions(), growth.functions * n, span_);
  const auto function = [&](std::size_t j) {
    return closed_ ? once.data() + (j - functions_) * n : span_.data() + j * n;
  };
  const bool more_subsets = growth.subsets > subsets_;
  const std::vector<float> label =
      blas::narrowed(residual.data(), more_subsets ? residual.size() : 0);
  growth.caught = blas::narrowed(on_residual.data(), on_residual.size());

  if (closed_) rows_.clear();  // needed once
  growth.first_row = rows_.size() / stride();
  new_row_ = growth.first_row;
  segments_.resize(growth.subsets);
  for (std::size_t a = 0; a < growth.subsets; ++a) {
    const std::size_t first = a < subsets_ ? functions_ : 0;
    segments_[a].push_back({first, growth.first_row + growth.with_columns.size()});
    for (std::size_t j = first; j < growth.functions; ++j) {
      growth.with_columns.push_back({values_.data() + a * n, function(j)});
    }
  }
  growth.label_row = growth.first_row + growth.with_columns.size();
  for (std::size_t a = subsets_; a < growth.subsets; ++a) {
    for (std::size_t y = 0; y < labels_; ++y) {
      growth.with_columns.push_back({values_.data() + a * n, label.data() + y * n});
    }
  }
  growth.square_row = growth.first_row + growth.with_columns.size();
  // The squared norm of a column itself is known.
  for (std::size_t a = std::max<std::size_t>(subsets_, 1); a < growth.subsets; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      growth.with_squares.push_back({values_.data() + a * n, values_.data() + b * n});
    }
  }

  make_room_for_rows(growth.square_row + growth.with_squares.size());
  rows_.resize((growth.square_row + growth.with_squares.size()) * stride());
  gram_.resize(growth.subsets * (growth.subsets + 1) / 2 * stride());
  on_label_.resize(growth.subsets * labels_ * stride());
  squares_.resize(growth.subsets * stride());
  const std::size_t block =
      growth.with_columns.size() <= few_functions ? many_columns_at_once : columns_at_once;
  in_parallel_one_by_one((count() + block - 1) / block, [&](std::size_t b) {
    const std::size_t first = b * block;
    const std::size_t width = std::min(block, count() - first);
    multiply(growth.with_columns, With::columns, first, width,
             rows_.data() + growth.first_row * stride() + first);
    multiply(growth.with_squares, With::squares, first, width,
             rows_.data() + growth.square_row * stride() + first);
    update(growth, first, width);
  });
  subsets_ = growth.subsets;
  functions_ = growth.functions;
  rows_.resize(growth.label_row * stride());
  if (closed_) segments_.clear();
  if (unused_ == 0) return;
  for (std::size_t c = 0; c < count(); ++c) {
    if (place_[feature_[c]] != c) take_no_longer(c);
  }
}

// They grow to many MiB, step by step.
void ColumnGrams::make_room_for_rows(std::size_t rows) {
  if (rows * stride() <= rows_.capacity()) return;
  rows_.reserve(std::max(rows * stride(), 2 * rows_.capacity()));
  use_large_pages(rows_.data() + rows_.size(), (rows_.capacity() - rows_.size()) * sizeof(float));
}

// Inner products of columns [first, first + width), or of their squares, with products of factors:
// rows of stride() numbers.
void ColumnGrams::multiply(const std::vector<Factors>& factors, With with, std::size_t first,
                           std::size_t width, float* to) const {
  // Columns that lie apart are few, or their products are.
  const bool together = column_.back() == column_.front() + (count() - 1) * data_->rows();
  if (factors.size() <= few_functions || !together) {
    return multiply_few(data_->rows(), factors, with, column_.data() + first, width, to, stride());
  }
  const std::size_t n = data_->rows();
  const std::size_t height = std::min(rows_at_once, n);
  thread_local std::vector<float> made;
  thread_local std::vector<float> squared;
  const auto make_room = [](std::size_t numbers, std::vector<float>& in) {
    if (in.size() < numbers) in.resize(numbers);
  };
  make_room(height * std::min(products_at_once, factors.size()), made);
  if (with == With::squares) make_room(height * width, squared);
  for (std::size_t f = 0; f < factors.size(); f += products_at_once) {
    const std::size_t count = std::min(products_at_once, factors.size() - f);
    for (std::size_t at = 0; at < n; at += height) {
      stop_if_asked();
      const std::size_t rows = std::min(height, n - at);
      const float* columns = column_[first] + at;
      std::size_t stride = n;
      for (std::size_t k = 0; k < count; ++k) {
        make_product(rows, factors[f + k].first + at, factors[f + k].second + at,
                     made.data() + k * rows);
      }
      if (with == With::squares) {
        for (std::size_t c = 0; c < width; ++c) {
          make_product(rows, columns + c * n, columns + c * n, squared.data() + c * rows);
        }
        columns = squared.data();
        stride = rows;
      }
      const float before = at == 0 ? 0.0F : 1.0F;
      blas::gemm(Op::transpose, Op::none, width, count, rows, 1.0F, columns, stride, made.data(),
                 rows, before, to + f * stride_, stride_);
    }
  }
}

// Brings the sums of columns [first, first + width) up to date.
void ColumnGrams::update(const Growth& growth, std::size_t first, std::size_t width) {
  const std::size_t added = growth.added();
  const auto subtract = [&](std::size_t functions, std::size_t a, std::size_t b, double* from) {
    subtract_products(width, stride(), functions, row(a) + first, row(b) + first, from + first);
  };
  for (std::size_t a = 0; added > 0 && a < growth.known_subsets; ++a) {
    const std::size_t own = growth.first_row + a * added;
    for (std::size_t b = 0; b <= a; ++b) {
      subtract(added, own, growth.first_row + b * added, gram(a, b));
    }
    for (std::size_t y = 0; y < labels_; ++y) {
      subtract_multiples(width, stride(), added, row(own) + first, growth.caught.data() + y,
                         labels_, on_label(a, y) + first);
    }
  }
  const float* label = row(growth.label_row);
  const float* square = row(growth.square_row);
  for (std::size_t a = growth.known_subsets; a < growth.subsets; ++a) {
    for (std::size_t y = 0; y < labels_; ++y, label += stride()) {
      std::copy_n(label + first, width, on_label(a, y) + first);
    }
    for (std::size_t b = 0; b <= a; ++b) {
      double* const inner = gram(a, b) + first;
      if (a == 0) {
        std::fill_n(inner, width, data_->weight());
      } else {
        std::copy_n(square + first, width, inner);
        square += stride();
      }
      if (a == b) std::copy_n(inner, width, squares_.data() + a * stride() + first);
      const std::size_t own = segments_[a].back().row;
      for (std::size_t s = 0; s < segments_[b].size(); ++s) {
        const Segment& segment = segments_[b][s];
        const std::size_t end =
            s + 1 < segments_[b].size() ? segments_[b][s + 1].function : growth.functions;
        subtract(end - segment.function, own + segment.function, segment.row, gram(a, b));
      }
    }
  }
}

void ColumnGrams::forget_products() {
  closed_ = true;
  rows_ = {};
  segments_.clear();
  span_ = {};
  if (subsets_ <= 1) return;
  subsets_ = 1;
  values_.resize(data_->rows());
  gram_.resize(stride());
  on_label_.resize(labels_ * stride());
  squares_.resize(stride());
}

ColumnSums ColumnGrams::sums(std::size_t subsets) const {
  return {stride(), subsets, labels_, gram_.data(), on_label_.data(), squares_.data()};
}

EstimatedCatch ColumnGrams::explained(std::size_t feature, std::size_t subsets,
                                      double least) const {
  return catch_of_column(sums(subsets), place_[feature], least,
                         rounding_beside_span(data_->rows()));
}

std::vector<EstimatedStep> ColumnGrams::best(std::size_t reach, std::size_t subsets,
                                             const EstimateTerms& terms) const {
  return best_columns(sums(subsets), feature_, reach, terms);
}

std::vector<std::size_t> ColumnGrams::promising(std::size_t most, double least) const {
  std::vector<std::pair<double, std::size_t>> promises;
  for (std::size_t c = 0; c < count(); ++c) {
    if (!(gram_[c] > least)) continue;
    double caught = 0;
    for (std::size_t y = 0; y < labels_; ++y) {
      const double inner = on_label_[y * stride() + c];
      caught += inner * inner;
    }
    promises.emplace_back(-caught / gram_[c], feature_[c]);
  }
  const auto end = promises.begin() + static_cast<std::ptrdiff_t>(std::min(most, promises.size()));
  std::partial_sort(promises.begin(), end, promises.end());
  std::vector<std::size_t> features;
  std::transform(promises.begin(), end, std::back_inserter(features),
                 [](const auto& promise) { return promise.second; });
  return features;
}

void ColumnGrams::remove(const std::vector<std::size_t>& features) {
  for (const std::size_t feature : features) {
    if (!has(feature)) continue;
    take_no_longer(place_[feature]);
    place_[feature] = nowhere;
    ++unused_;
  }
  if (8 * unused_ > count() && subsets_ <= 1) drop_unused();
}

// None of its functions is new.
void ColumnGrams::take_no_longer(std::size_t column) {
  for (std::size_t a = 0; a < subsets_; ++a) gram(a, a)[column] = no_candidate;
}

void ColumnGrams::drop_unused() {
  const std::size_t before = count();
  std::vector<std::size_t> kept;
  for (std::size_t c = 0; c < before; ++c) {
    if (!has(feature_[c])) continue;
    place_[feature_[c]] = kept.size();
    feature_[kept.size()] = feature_[c];
    column_[kept.size()] = column_[c];
    kept.push_back(c);
  }
  keep_columns(before, kept, gram_);
  keep_columns(before, kept, on_label_);
  keep_columns(before, kept, squares_);
  keep_columns(before, kept, rows_);
  feature_.resize(kept.size());
  column_.resize(kept.size());
  stride_ = stride_for(kept.size());
  unused_ = 0;
}

}  // namespace fsieve::methods
