#include "methods/forward/family_grams.h"

#include <algorithm>
#include <limits>

#include "base/large_pages.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "linalg/blas.h"
#include "linalg/column_dots.h"
#include "linalg/narrow.h"
#include "methods/forward/append_product.h"
#include "methods/forward/column_arrays.h"
#include "methods/forward/column_estimates.h"
#include "methods/forward/column_products.h"

namespace fsieve::inline methods {
namespace {

// Candidates that are multiplied at a time.
constexpr std::size_t candidates_at_once = 512;

template <class Body>
void for_blocks(std::size_t count, const Body& body) {
  in_parallel_one_by_one((count + candidates_at_once - 1) / candidates_at_once, [&](std::size_t b) {
    const std::size_t first = b * candidates_at_once;
    body(first, std::min(candidates_at_once, count - first));
  });
}

// Functions of the span or the label, of which `narrow` holds the numbers, times √w.
std::vector<Factors> times_unit(std::size_t rows, const std::vector<float>& unit,
                                const std::vector<float>& narrow) {
  std::vector<Factors> functions;
  for (std::size_t at = 0; at < narrow.size(); at += rows) {
    functions.push_back({unit.data(), narrow.data() + at});
  }
  return functions;
}

}  // namespace

FamilyGrams::FamilyGrams(const SupervisedData& data, const std::vector<std::size_t>& features,
                         std::size_t labels, const std::vector<double>& residual,
                         const ColumnGrams& singles)
    : data_(&data),
      functions_(data.design.features[features.front()].last -
                 data.design.features[features.front()].first),
      labels_(labels),
      known_(std::all_of(features.begin(), features.end(),
                         [&](std::size_t feature) { return singles.has(feature); })
                 ? 1
                 : 0),
      feature_(features),
      unused_(features.size()),
      stride_(stride_for(features.size())),
      gram_(functions_ * (functions_ + 1) / 2 * stride_),
      on_label_(functions_ * labels * stride_),
      squares_(functions_ * stride_, data.weight()) {
  const std::size_t n = data.rows();
  const std::size_t numbers = n * (functions_ - known_) * count();
  const std::shared_ptr<float[]> narrow(new float[numbers + blas::rows_of_dots]);
  use_large_pages(narrow.get(), numbers * sizeof(float));
  std::fill_n(narrow.get() + numbers, blas::rows_of_dots, 0.0F);
  numbers_ = narrow;
  columns_.resize((functions_ - known_) * count());
  for (std::size_t c = 0; c < columns_.size(); ++c) columns_[c] = narrow.get() + c * n;

  for_blocks(count(), [&](std::size_t first, std::size_t width) {
    std::vector<double> own;
    for (std::size_t k = first; k < first + width; ++k) {
      stop_if_asked();
      const std::size_t column = data.design.features[feature_[k]].first;
      own.clear();
      for (std::size_t a = 0; a < functions_; ++a) {
        append_product(n, data.unit.data(), data.column(column + a), own);
        if (a >= known_) {
          blas::narrow(n, data.column(column + a), narrow.get() + ((a - known_) * count() + k) * n);
        }
        gram(a, a)[k] = data.weight();
        for (std::size_t b = 0; b < a; ++b) {
          gram(a, b)[k] = blas::dot(n, own.data() + a * n, own.data() + b * n);
        }
      }
    }
  });
  const std::vector<float> unit = blas::narrowed(data.unit.data(), n);
  const std::vector<float> label = blas::narrowed(residual.data(), residual.size());
  const std::vector<Factors> labels_on_rows = times_unit(n, unit, label);
  for_blocks(count(), [&](std::size_t first, std::size_t width) {
    for (std::size_t k = first; k < first + width && known_ > 0; ++k) {
      for (std::size_t y = 0; y < labels_; ++y) {
        on_label(0, y)[k] = singles.with_residual(feature_[k], y);
      }
    }
    std::vector<float> products(labels_ * width);
    for (std::size_t a = known_; a < functions_; ++a) {
      multiply_few(n, labels_on_rows, With::columns, columns(a) + first, width, products.data(),
                   width);
      for (std::size_t y = 0; y < labels_; ++y) {
        std::copy_n(products.data() + y * width, width, on_label(a, y) + first);
      }
    }
  });
}

void FamilyGrams::take_out(const Span& span, std::size_t first_function, const double* on_residual,
                           const ColumnGrams& singles) {
  const std::size_t n = data_->rows();
  const std::size_t added = span.rank() - first_function;
  if (added == 0) return;
  const std::vector<float> unit = blas::narrowed(data_->unit.data(), n);
  const std::vector<float> narrow = blas::narrowed(span.functions(first_function), added * n);
  const std::vector<Factors> functions = times_unit(n, unit, narrow);
  std::vector<float> caught;  // of the residual, by the new functions
  if (on_residual != nullptr) caught = blas::narrowed(on_residual, labels_ * added);
  for_blocks(count(), [&](std::size_t first, std::size_t width) {
    thread_local std::vector<float> products;
    products.resize(functions_ * added * width);
    for (std::size_t a = 0; a < functions_; ++a) {
      float* const own = products.data() + a * added * width;
      if (a < known_) {
        copy_known(singles, added, first, width, own);
      } else {
        multiply_few(n, functions, With::columns, columns(a) + first, width, own, width);
      }
      for (std::size_t b = 0; b <= a; ++b) {
        subtract_products(width, width, added, own, products.data() + b * added * width,
                          gram(a, b) + first);
      }
      for (std::size_t y = 0; on_residual != nullptr && y < labels_; ++y) {
        subtract_multiples(width, width, added, own, caught.data() + y, labels_,
                           on_label(a, y) + first);
      }
    }
  });
}

// What is no candidate any more may not be known.
void FamilyGrams::copy_known(const ColumnGrams& singles, std::size_t added, std::size_t first,
                             std::size_t width, float* to) const {
  for (std::size_t j = 0; j < added; ++j) {
    const float* const products = singles.with_new(j);
    for (std::size_t k = first; k < first + width; ++k, ++to) {
      *to = singles.has(feature_[k]) ? products[singles.place(feature_[k])] : 0.0F;
    }
  }
}

std::size_t FamilyGrams::place_of(std::size_t feature) const {
  const auto at = std::lower_bound(feature_.begin(), feature_.end(), feature);
  const auto place = static_cast<std::size_t>(at - feature_.begin());
  return at != feature_.end() && *at == feature && !unused_[place] ? place : count();
}

bool FamilyGrams::has(std::size_t feature) const { return place_of(feature) != count(); }

ColumnSums FamilyGrams::sums() const {
  return {stride_, functions_, labels_, gram_.data(), on_label_.data(), squares_.data()};
}

EstimatedCatch FamilyGrams::explained(std::size_t feature, double least) const {
  return catch_of_column(sums(), place_of(feature), least, rounding_beside_span(data_->rows()));
}

std::vector<EstimatedStep> FamilyGrams::best(std::size_t reach, const EstimateTerms& terms) const {
  return best_columns(sums(), feature_, reach, terms);
}

// Nothing of them is new, whatever is taken out.
void FamilyGrams::remove(const std::vector<std::size_t>& features) {
  for (const std::size_t feature : features) {
    const std::size_t place = place_of(feature);
    if (place == count()) continue;
    for (std::size_t a = 0; a < functions_; ++a) {
      gram(a, a)[place] = -std::numeric_limits<double>::infinity();
    }
    unused_[place] = true;
    ++unused_count_;
  }
  if (8 * unused_count_ > count()) drop_unused();
}

void FamilyGrams::drop_unused() {
  const std::size_t before = count();
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < before; ++k) {
    if (!unused_[k]) kept.push_back(k);
  }
  keep_columns(before, kept, gram_);
  keep_columns(before, kept, on_label_);
  keep_columns(before, kept, squares_);
  std::vector<const float*> columns;
  for (std::size_t at = 0; at < columns_.size(); at += before) {
    for (const std::size_t k : kept) columns.push_back(columns_[at + k]);
  }
  columns_ = std::move(columns);
  for (std::size_t k = 0; k < kept.size(); ++k) feature_[k] = feature_[kept[k]];
  feature_.resize(kept.size());
  unused_.assign(kept.size(), false);
  unused_count_ = 0;
  stride_ = stride_for(kept.size());
}

}  // namespace fsieve::methods
