#include "methods/union/class_pairs.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "base/stop.h"
#include "linalg/blas.h"
#include "methods/union/sweep.h"

namespace fsieve::inline methods {
namespace {

constexpr std::size_t tile_height = 64;  // b
constexpr std::size_t tile_width = 64;   // c
constexpr std::size_t tile_pairs = tile_height * tile_width;
constexpr std::size_t pair_rows = 2048;
// Thresholds of a ranking are rounded to 12 decimals.
constexpr double threshold_margin = 1e-9;

}  // namespace

ClassPairs::Scratch::Scratch(std::size_t classes)
    : fits(classes),
      uuv(tile_pairs),
      uvv(tile_pairs),
      uuvv(tile_pairs),
      class_uv(classes * tile_pairs),
      coefficients(4 * classes),
      rest(classes + 1) {}

ClassPairs::ClassPairs(const SupervisedData& data, std::vector<std::size_t> features,
                       RowScore row_score)
    : data_(&data),
      features_(std::move(features)),
      row_score_(std::move(row_score)),
      n_(static_cast<double>(data.rows())),
      classes_(data.label.classes.size()),
      share_(classes_),
      first_(classes_ + 1) {
  std::vector<std::size_t> count(classes_);
  for (const std::size_t code : data.label.codes) ++count[code];
  for (std::size_t k = 0; k < classes_; ++k) {
    share_[k] = static_cast<double>(count[k]) / n_;
    first_[k + 1] =
        first_[k] + (count[k] + class_rows_step - 1) / class_rows_step * class_rows_step;
  }
  largest_share_ = *std::max_element(share_.begin(), share_.end());
  rows_ = first_.back();
  order_features();
  sort_rows();
}

// Features whose means differ most between the classes come first, so that good pairs are met soon
// and raise the threshold of the ranking.
void ClassPairs::order_features() {
  const std::size_t d = features_.size();
  std::vector<double> means(classes_ * d);
  std::vector<double> told(d);
  in_parallel(d, [&](std::size_t j) {
    const double* column = data_->column(data_->design.features[features_[j]].first);
    double* mean = means.data() + j * classes_;
    for (std::size_t i = 0; i < data_->rows(); ++i) mean[data_->label.codes[i]] += column[i];
    for (std::size_t k = 0; k < classes_; ++k) mean[k] /= n_;
    told[j] = std::inner_product(mean, mean + classes_, mean, 0.0);
  });
  std::vector<std::size_t> order(d);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return told[a] > told[b]; });
  means_.assign(classes_ * means_stride(), 0.0);
  std::vector<std::size_t> ordered;
  for (std::size_t j = 0; j < d; ++j) {
    ordered.push_back(features_[order[j]]);
    for (std::size_t k = 0; k < classes_; ++k) {
      means_[k * means_stride() + j] = means[order[j] * classes_ + k];
    }
  }
  features_ = std::move(ordered);
}

void ClassPairs::sort_rows() {
  std::vector<std::size_t> next = first_;
  std::vector<std::size_t> place;
  for (const std::size_t code : data_->label.codes) place.push_back(next[code]++);
  weight_.assign(rows_, 0.0);
  for (const std::size_t to : place) weight_[to] = 1;
  narrow_weight_.assign(weight_.begin(), weight_.end());
  columns_.assign(features_.size() * rows_, 0.0);
  narrow_columns_.assign(features_.size() * rows_, 0.0F);
  in_parallel(features_.size(), [&](std::size_t j) {
    const double* from = data_->column(data_->design.features[features_[j]].first);
    for (std::size_t i = 0; i < place.size(); ++i) {
      columns_[j * rows_ + place[i]] = from[i];
      narrow_columns_[j * rows_ + place[i]] = static_cast<float>(from[i]);
    }
  });
}

void ClassPairs::rank(Ranking& ranking, SharedProgress& progress) const {
  tbb::enumerable_thread_specific<Scratch> scratch(classes_);
  for_each_tile(features_.size(), 2, tile_height, tile_width, progress,
                [&](const SubsetTile& tile) { rank_tile(tile, scratch.local(), ranking); });
}

// Means of the products of a tile, b side by side.
void ClassPairs::add_means(const SubsetTile& tile, Scratch& s) const {
  const std::size_t height = tile.b1 - tile.b0;
  const std::size_t width = tile.c1 - tile.c0;
  const double* u = column(tile.b0);
  const double* v = column(tile.c0);
  const double scale = 1 / n_;
  const auto multiply = [&](std::size_t rows, const double* left, std::size_t left_stride,
                            const double* right, std::size_t right_stride, double before,
                            double* to) {
    blas::gemm(blas::Op::transpose, blas::Op::none, height, width, rows, scale, left, left_stride,
               right, right_stride, before, to, tile_height);
  };
  for (std::size_t k = 0; k < classes_; ++k) {
    multiply(first_[k + 1] - first_[k], u + first_[k], rows_, v + first_[k], rows_, 0.0,
             s.class_uv.data() + k * tile_pairs);
  }
  for (std::size_t row = 0; row < rows_; row += pair_rows) {
    const std::size_t rows = std::min(pair_rows, rows_ - row);
    stop_if_asked();
    const auto square = [&](const double* from, std::size_t columns, std::vector<double>& to) {
      to.resize(columns * rows);
      for (std::size_t k = 0; k < columns; ++k) {
        const double* column = from + k * rows_ + row;
        for (std::size_t i = 0; i < rows; ++i) to[k * rows + i] = column[i] * column[i];
      }
    };
    square(u, height, s.u_squares);
    square(v, width, s.v_squares);
    const double before = row == 0 ? 0 : 1;
    multiply(rows, s.u_squares.data(), rows, v + row, rows_, before, s.uuv.data());
    multiply(rows, u + row, rows_, s.v_squares.data(), rows, before, s.uvv.data());
    multiply(rows, s.u_squares.data(), rows, s.v_squares.data(), rows, before, s.uuvv.data());
  }
}

void ClassPairs::rank_tile(const SubsetTile& tile, Scratch& s, Ranking& ranking) const {
  add_means(tile, s);
  for (std::size_t c = tile.c0; c < tile.c1; ++c) {
    stop_if_asked();
    for (std::size_t b0 = tile.b0; b0 < tile.b1; b0 += pair_group) {
      const std::size_t b1 = std::min(b0 + pair_group, tile.b1);
      if (b1 - 1 <= c) continue;
      const std::size_t at = b0 - tile.b0 + (c - tile.c0) * tile_height;
      const PairMeans means{classes_,           s.uuv.data() + at,      s.uvv.data() + at,
                            s.uuvv.data() + at, s.class_uv.data() + at, tile_pairs,
                            means_.data() + b0, means_.data() + c,      means_stride(),
                            share_.data()};
      fit_pairs(means, s.fits);
      for (std::size_t b = std::max(b0, c + 1); b < b1; ++b) {
        rank_pair(b, c, b - b0, s, ranking);
      }
    }
  }
}

void ClassPairs::rank_pair(std::size_t b, std::size_t c, std::size_t place, Scratch& s,
                           Ranking& ranking) const {
  const auto [first, second] = std::minmax(features_[b], features_[c]);
  const std::size_t pair[2] = {first, second};
  if (s.fits.unsure[place]) return ranking.offer(row_score_(pair), pair);
  const double least = (ranking.threshold() - threshold_margin) * (n_ - 1);
  if (least > 0) {
    if (!promising(b, c, place, least, s)) return;
  } else {
    s.rest.assign(classes_ + 1, n_);
  }
  for (std::size_t k = 0; k < classes_; ++k) {
    s.coefficients[4 * k] = share_[k];
    for (std::size_t f = 0; f < 3; ++f) {
      s.coefficients[4 * k + 1 + f] = s.fits.f[(3 * k + f) * pair_group + place];
    }
  }
  ClassSweep sweep{classes_,  n_, first_.data(),        weight_.data(), column(b),
                   column(c), {}, s.coefficients.data()};
  for (std::size_t k = 0; k < 6; ++k) sweep.functions[k] = s.fits.v[k][place];
  const double sum = sweep_classes(sweep, s.rest.data(), least);
  if (sum >= least) ranking.offer(sum / (n_ - 1), pair);
}

// Can the sum over rows be as much as `least`? If so, s.rest[k] says how much the classes from k on
// can add.
bool ClassPairs::promising(std::size_t b, std::size_t c, std::size_t place, double least,
                           Scratch& s) const {
  if (n_ * (largest_share_ + s.fits.ellipsoid[place]) < least) return false;
  const NarrowPair rows{narrow_columns_.data() + b * rows_, narrow_columns_.data() + c * rows_,
                        narrow_weight_.data(), first_.data(), classes_};
  ellipsoid_lengths(rows, s.fits, place, s.rest.data());
  s.rest[classes_] = n_ * s.fits.rounding[place];
  for (std::size_t k = classes_; k-- > 0;) {
    s.rest[k] += s.rest[k + 1] + n_ * share_[k] * largest_share_;
  }
  return s.rest[0] >= least;
}

}  // namespace fsieve::methods
