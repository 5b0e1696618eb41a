#include "methods/forward/single_columns.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "base/large_pages.h"
#include "base/parallel.h"
#include "linalg/narrow.h"
#include "linalg/tiles.h"

namespace fsieve::inline methods {
namespace {

using blas::Op;

// New functions that are taken out at a time.
constexpr std::size_t at_once = 64;

}  // namespace

SingleColumns::SingleColumns(const SupervisedData& data, const std::vector<std::size_t>& features,
                             std::size_t labels)
    : data_(&data),
      labels_(labels),
      off_(2 * rounding_beside_span(data.rows()) * data.weight()),
      place_(data.design.features.size(), nowhere),
      feature_(features),
      left_(features.size(), data.weight()),  // columns are standardised
      on_label_(features.size() * labels) {
  const std::size_t n = data.rows();
  std::vector<float> columns;
  columns.reserve(n * features.size());
  use_large_pages(columns.data(), n * features.size() * sizeof(float));
  columns.resize(n * features.size());
  in_parallel(features.size(), [&](std::size_t c) {
    const double* from = data.column(data.design.features[features[c]].first);
    float* to = columns.data() + c * n;
    if (!data.weighted()) return blas::narrow(n, from, to);
    for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<float>(data.unit[i] * from[i]);
  });
  columns_ = std::make_shared<const std::vector<float>>(std::move(columns));
  for (std::size_t c = 0; c < features.size(); ++c) place_[features[c]] = c;
}

// `count` per column.
std::vector<float> SingleColumns::inner_products(const double* functions, std::size_t count) const {
  const std::size_t n = data_->rows();
  const std::vector<float> narrow = blas::narrowed(functions, n * count);
  std::vector<float> inner(count * feature_.size());
  blas::tiled_gemm(Op::transpose, Op::none, count, feature_.size(), n, 1.0F, narrow.data(), n,
                   columns_->data(), n, 0.0F, inner.data(), count);
  return inner;
}

void SingleColumns::open(const Span& span, const std::vector<double>& residual) {
  if (feature_.empty()) return;
  take_out(span, 0, std::vector<double>(labels_ * span.rank()));
  const std::vector<float> inner = inner_products(residual.data(), labels_);
  std::copy(inner.begin(), inner.end(), on_label_.begin());
}

void SingleColumns::take_out(const Span& span, std::size_t first,
                             const std::vector<double>& on_residual) {
  if (feature_.empty()) return;
  const double* caught = on_residual.data();
  for (; first < span.rank(); first += at_once) {
    const std::size_t count = std::min(at_once, span.rank() - first);
    const std::vector<float> inner = inner_products(span.functions(first), count);
    for (std::size_t c = 0; c < feature_.size(); ++c) {
      const float* own = inner.data() + c * count;
      double* on_label = on_label_.data() + c * labels_;
      for (std::size_t k = 0; k < count; ++k) {
        const double part = own[k];
        left_[c] -= part * part;
        for (std::size_t y = 0; y < labels_; ++y) on_label[y] -= part * caught[k * labels_ + y];
      }
    }
    caught += count * labels_;
  }
}

std::vector<EstimatedStep> SingleColumns::best(std::size_t reach, SingleTerms terms) const {
  const std::size_t count = feature_.size();
  terms.weight = data_->weight();
  terms.off = off_;
  terms.rounding = rounding_beside_span(data_->rows());
  std::vector<double> squares(count);
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t y = 0; y < labels_; ++y) {
      squares[c] += on_label_[c * labels_ + y] * on_label_[c * labels_ + y];
    }
  }
  std::vector<double> gain(count);
  std::vector<double> most(count);
  double limit =
      estimate_singles({count, left_.data(), squares.data()}, terms, gain.data(), most.data());
  if (reach > 1) {
    // What each is worth at least; where nothing is sure, nothing.
    std::vector<double> worst;
    for (std::size_t c = 0; c < count; ++c) worst.push_back(gain[c] - (most[c] - gain[c]));
    const auto told = std::remove_if(worst.begin(), worst.end(), [](double w) { return w != w; });
    worst.erase(told, worst.end());
    limit = -std::numeric_limits<double>::infinity();
    if (worst.size() > reach) {
      const auto last = worst.begin() + static_cast<std::ptrdiff_t>(reach - 1);
      std::nth_element(worst.begin(), last, worst.end(), std::greater<>());
      limit = *last;
    }
  }
  std::vector<EstimatedStep> steps;
  for (std::size_t c = 0; c < count; ++c) {
    if (most[c] < limit || std::isinf(gain[c])) continue;
    steps.push_back({feature_[c], gain[c], most[c], std::isinf(most[c])});
  }
  return steps;
}

void SingleColumns::remove(const std::vector<std::size_t>& features) {
  for (const std::size_t feature : features) {
    if (!has(feature)) continue;
    left_[place_[feature]] = 0;
    place_[feature] = nowhere;
    ++unused_;
  }
  if (8 * unused_ > feature_.size()) drop_unused();
}

// The columns are shared with other rounds, which go on with all of them.
void SingleColumns::drop_unused() {
  const std::size_t n = data_->rows();
  std::vector<float> columns;
  columns.reserve(n * (feature_.size() - unused_));
  use_large_pages(columns.data(), n * (feature_.size() - unused_) * sizeof(float));
  std::size_t kept = 0;
  for (std::size_t c = 0; c < feature_.size(); ++c) {
    const std::size_t feature = feature_[c];
    if (!has(feature)) continue;
    const float* from = columns_->data() + c * n;
    columns.insert(columns.end(), from, from + n);
    feature_[kept] = feature;
    left_[kept] = left_[c];
    std::copy_n(on_label_.data() + c * labels_, labels_, on_label_.data() + kept * labels_);
    place_[feature] = kept++;
  }
  feature_.resize(kept);
  left_.resize(kept);
  on_label_.resize(kept * labels_);
  columns_ = std::make_shared<const std::vector<float>>(std::move(columns));
  unused_ = 0;
}

}  // namespace fsieve::methods
