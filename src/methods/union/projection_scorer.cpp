// The projection kernel: the span of a subset's products of design columns. Gram matrices of all
// subsets of a tile come from a few matrix products (sums of products of powers up to two of each
// column), are made orthonormal one by one, and one sweep over the rows gives the score. Where a
// product is nearly a combination of others, the subset is done again on the rows themselves.
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/parallel.h"
#include "base/stop.h"
#include "basis/parity.h"
#include "bits/subset_tiles.h"
#include "fsieve/error.h"
#include "linalg/blas.h"
#include "measure/span_score.h"
#include "methods/union/class_pairs.h"
#include "methods/union/pair_screen.h"
#include "methods/union/scorer.h"
#include "methods/union/sweep.h"

namespace fsieve::inline methods {
namespace {

using Subset = std::vector<std::size_t>;

constexpr std::size_t most_gram_products = 512;
// What is left of a product, relative to its own squared norm: trivial at or below the first on the
// rows themselves. From Gram matrices, below the second it is surely trivial, and above the third
// ten digits are left; between the two the rows decide.
constexpr double trivial = 1e-10;

// Makes p functions orthonormal from their inner products g (p x p, lower triangle at (row, column)
// = row + column * p): row k of `transform` (k + 1 numbers, one row after another) gives function
// k, zero where it is trivial. False where the digits of g do not suffice.
bool orthonormalise(const double* g, std::size_t p, std::vector<double>& transform,
                    std::vector<double>& inner) {
  transform.assign(p * (p + 1) / 2, 0.0);
  inner.resize(p);
  for (std::size_t k = 0; k < p; ++k) {
    const double norm = g[k + k * p];
    double left = norm;
    for (std::size_t l = 0; l < k; ++l) {
      const double* row = transform.data() + l * (l + 1) / 2;
      double sum = 0;
      for (std::size_t m = 0; m <= l; ++m) sum += row[m] * g[k + m * p];
      inner[l] = sum;
      left -= sum * sum;
    }
    if (left <= surely_trivial * norm) continue;
    if (left < surely_not_trivial * norm) return false;
    const double scale = 1 / std::sqrt(left);
    double* row = transform.data() + k * (k + 1) / 2;
    row[k] = scale;
    for (std::size_t l = 0; l < k; ++l) {
      const double* earlier = transform.data() + l * (l + 1) / 2;
      for (std::size_t m = 0; m <= l; ++m) row[m] -= scale * inner[l] * earlier[m];
    }
  }
  return true;
}

class ProjectionScorer final : public SubsetScorer {
 public:
  explicit ProjectionScorer(const SupervisedData& data)
      : data_(&data), measure_(measure_of(data.label)), rows_(data.rows()), weight_(data.weight()) {
    for (const std::size_t j : data.features) {
      const DesignFeature& feature = data.design.features[j];
      const bool in_tiles = feature.last - feature.first == 1 && !data.weighted();
      (in_tiles ? single_ : multiple_).push_back(j);
    }
    make_label();
  }

  void score_all(int size, Ranking& ranking, Progress& progress) const override {
    if (size < 1 || size > most_real_depth) {
      throw Error("subsets of 1 to 4 real features can be scored", Error::Kind::usage);
    }
    const std::size_t d = data_->features.size();
    SharedProgress shared(progress, "subsets", choose(d, static_cast<std::size_t>(size)));
    if (size == 1) {
      in_parallel(d, [&](std::size_t k) {
        const std::span one(&data_->features[k], 1);
        ranking.offer(score_by_gram({one.begin(), one.end()}), one);
      });
      shared.add(d);
    } else {
      score_single(size, ranking, shared);
      score_multiple(static_cast<std::size_t>(size), ranking, shared);
    }
    shared.end();
  }

  // Orthogonalises the products themselves, twice.
  [[nodiscard]] double score(std::span<const std::size_t> features) const override {
    std::vector<double> basis;
    std::vector<double> value(rows_);
    std::vector<double> inner;
    for (const Parity& parity : parities_of(features)) {
      if (basis.size() == rows_ * rows_) break;
      stop_if_asked();
      evaluate(parity, 0, rows_, value.data());
      scale(0, rows_, value.data());
      const double norm = blas::dot(rows_, value.data(), value.data());
      const std::size_t rank = basis.size() / rows_;
      inner.resize(rank);
      for (int pass = 0; pass < 2 && rank > 0; ++pass) {
        blas::gemv(blas::Op::transpose, rows_, rank, 1.0, basis.data(), rows_, value.data(), 0.0,
                   inner.data());
        blas::gemv(blas::Op::none, rows_, rank, -1.0, basis.data(), rows_, inner.data(), 1.0,
                   value.data());
      }
      const double left = blas::dot(rows_, value.data(), value.data());
      if (left <= trivial * norm) continue;
      const double scale = 1 / std::sqrt(left);
      for (const double v : value) basis.push_back(v * scale);
    }
    return span_score(data_->label, basis);
  }

 private:
  struct Scratch {
    std::vector<double> left, right, weights;
    std::vector<double> moments;  // per power of the outer features
    std::vector<double> with_label;
    std::vector<std::vector<double>> outer;  // products of the outer features by mask
    std::vector<const double*> outer_pointers;
    std::vector<double> gram, products, transform, inner, f, base;
  };

  // A tile's sums of products: left columns 1, x_b …, x_b² …, right ones 1, x_c …, x_c² ….
  struct Shape {
    std::size_t height, width;  // b and c of the tile
    [[nodiscard]] std::size_t left() const { return 1 + 2 * height; }
    [[nodiscard]] std::size_t right() const { return 1 + 2 * width; }
    [[nodiscard]] std::size_t at(int b_power, std::size_t b, int c_power, std::size_t c) const {
      const std::size_t row = b_power == 0 ? 0 : 1 + (b_power == 2 ? height : 0) + b;
      const std::size_t column = c_power == 0 ? 0 : 1 + (c_power == 2 ? width : 0) + c;
      return row + column * left();
    }
    [[nodiscard]] std::size_t with_label(int b_power, std::size_t b, int c_power,
                                         std::size_t c) const {
      return (b_power == 0 ? 0 : 1 + b) + (c_power == 0 ? 0 : 1 + c) * (1 + height);
    }
    [[nodiscard]] std::size_t size() const { return left() * right(); }
    [[nodiscard]] std::size_t label_size() const { return (1 + height) * (1 + width); }
  };

  void make_label() {
    const Label& label = data_->label;
    const double n = weight_;
    label_columns_ = measure_ == Measure::bayes_accuracy ? label.classes.size() : 1;
    y_.resize(rows_);
    columns_.resize(rows_ * label_columns_);
    double mean = 0;
    if (measure_ == Measure::q2) {
      for (std::size_t i = 0; i < rows_; ++i) mean += label.weight_of(i) * label.numbers[i] / n;
    }
    for (std::size_t i = 0; i < rows_; ++i) {
      if (measure_ == Measure::bayes_accuracy) {
        y_[i] = static_cast<double>(label.codes[i]);
        columns_[label.codes[i] * rows_ + i] = 1;
      } else {
        y_[i] = columns_[i] = label.numbers[i] - mean;
      }
      scaled_.push_back(y_[i] / n);
      const double from_others = y_[i] * n / (n - 1);
      total_ += label.weight_of(i) * from_others * from_others;
    }
    if (data_->weighted()) {
      scaled_columns_ = columns_;
      for (std::size_t y = 0; y < label_columns_; ++y) {
        scale(0, rows_, scaled_columns_.data() + y * rows_);
      }
    }
    sweep_label_ = {measure_, rows_, label_columns_, y_.data(), scaled_.data()};
    y_mean_ = blas::dot(rows_, columns_.data(), std::vector<double>(rows_, 1.0).data()) / n;
  }

  [[nodiscard]] double finished(double sum) const {
    if (measure_ == Measure::q2) return 1 - sum / total_;
    return sum / (weight_ - 1);
  }

  [[nodiscard]] std::vector<Parity> parities_of(std::span<const std::size_t> features) const {
    std::vector<Parity> parities{Parity()};
    for (const std::size_t j : features) {
      const auto added =
          parities_with(data_->design.features[j], parities, static_cast<int>(features.size()));
      parities.insert(parities.end(), added.begin(), added.end());
    }
    return parities;
  }

  void evaluate(const Parity& parity, std::size_t row, std::size_t rows, double* out) const {
    std::fill_n(out, rows, 1.0);
    for (const std::uint32_t c : parity.columns()) {
      const double* column = data_->column(c) + row;
      for (std::size_t i = 0; i < rows; ++i) out[i] *= column[i];
    }
  }

  // Scales a function by √w, where rows have weights.
  void scale(std::size_t row, std::size_t rows, double* values) const {
    if (!data_->weighted()) return;
    for (std::size_t i = 0; i < rows; ++i) values[i] *= data_->unit[row + i];
  }

  [[nodiscard]] const double* column_of(std::size_t single) const {
    return data_->column(data_->design.features[single_[single]].first);
  }

  // Subsets of features of one column each.
  void score_single(int size, Ranking& ranking, SharedProgress& progress) const {
    if (single_.size() < static_cast<std::size_t>(size)) return;
    if (size == 2 && measure_ == Measure::bayes_accuracy) {
      const auto by_rows = [&](std::span<const std::size_t> pair) { return score(pair); };
      return ClassPairs(*data_, single_, by_rows).rank(ranking, progress);
    }
    const std::size_t width = size == 4 ? 32 : 64;
    tbb::enumerable_thread_specific<Scratch> scratch;
    for_each_tile(single_.size(), size, width / 2, width, progress, [&](const SubsetTile& tile) {
      Scratch& s = scratch.local();
      add_moments(tile, s);
      if (measure_ == Measure::m_n && tile.outer.empty()) {
        rank_pairs(tile, s, ranking);
      } else {
        rank(tile, s, ranking);
      }
    });
  }

  // All sums that the Gram matrices of a tile are made of.
  void add_moments(const SubsetTile& tile, Scratch& s) const {
    const Shape shape{tile.b1 - tile.b0, tile.c1 - tile.c0};
    const std::size_t m = tile.outer.size();
    const std::size_t masks = std::size_t{1} << m;
    std::size_t powers = 1;
    for (std::size_t k = 0; k < m; ++k) powers *= 3;
    make_outer(tile, s);
    s.moments.assign(powers * shape.size(), 0.0);
    s.with_label.assign(label_columns_ * masks * shape.label_size(), 0.0);
    s.left.resize(row_block * shape.left());
    s.right.resize(row_block * shape.right());
    s.weights.resize(row_block);
    for (std::size_t row = 0; row < rows_; row += row_block) {
      const std::size_t rows = std::min(row_block, rows_ - row);
      stop_if_asked();
      fill_right(tile, shape, row, rows, s);
      for (std::size_t power = 0; power < powers; ++power) {
        weigh(power, tile, row, rows, s);
        fill_left(tile, shape, row, rows, true, s);
        blas::gemm(blas::Op::transpose, blas::Op::none, shape.left(), shape.right(), rows, 1.0,
                   s.left.data(), rows, s.right.data(), rows, 1.0,
                   s.moments.data() + power * shape.size(), shape.left());
      }
      for (std::size_t k = 0; k < label_columns_ * masks; ++k) {
        const double* y = columns_.data() + (k / masks) * rows_ + row;
        const std::size_t mask = k % masks;
        for (std::size_t i = 0; i < rows; ++i) {
          s.weights[i] = mask == 0 ? y[i] : y[i] * s.outer[mask][row + i];
        }
        fill_left(tile, shape, row, rows, false, s);
        blas::gemm(blas::Op::transpose, blas::Op::none, 1 + shape.height, 1 + shape.width, rows,
                   1.0, s.left.data(), rows, s.right.data(), rows, 1.0,
                   s.with_label.data() + k * shape.label_size(), 1 + shape.height);
      }
    }
    const double scale = 1 / static_cast<double>(rows_);
    for (double& value : s.moments) value *= scale;
    for (double& value : s.with_label) value *= scale;
  }

  void make_outer(const SubsetTile& tile, Scratch& s) const {
    const std::size_t masks = std::size_t{1} << tile.outer.size();
    s.outer.resize(masks);
    s.outer_pointers.assign(masks, nullptr);
    for (std::size_t mask = 1; mask < masks; ++mask) {
      const auto top = static_cast<std::size_t>(std::bit_width(mask)) - 1;
      const double* column = column_of(tile.outer[top]);
      const std::size_t rest = mask ^ (std::size_t{1} << top);
      s.outer[mask].resize(rows_);
      for (std::size_t i = 0; i < rows_; ++i) {
        s.outer[mask][i] = rest == 0 ? column[i] : s.outer[rest][i] * column[i];
      }
      s.outer_pointers[mask] = s.outer[mask].data();
    }
  }

  // The product of powers of the outer features; digits of `power` to the base three.
  void weigh(std::size_t power, const SubsetTile& tile, std::size_t row, std::size_t rows,
             Scratch& s) const {
    std::fill_n(s.weights.data(), rows, 1.0);
    for (const std::size_t q : tile.outer) {
      const double* column = column_of(q) + row;
      for (std::size_t k = 0; k < power % 3; ++k) {
        for (std::size_t i = 0; i < rows; ++i) s.weights[i] *= column[i];
      }
      power /= 3;
    }
  }

  void fill_right(const SubsetTile& tile, const Shape& shape, std::size_t row, std::size_t rows,
                  Scratch& s) const {
    std::fill_n(s.right.data(), rows, 1.0);
    for (std::size_t c = 0; c < shape.width; ++c) {
      const double* column = column_of(tile.c0 + c) + row;
      double* out = s.right.data() + (1 + c) * rows;
      double* squared = out + shape.width * rows;
      for (std::size_t i = 0; i < rows; ++i) {
        out[i] = column[i];
        squared[i] = column[i] * column[i];
      }
    }
  }

  void fill_left(const SubsetTile& tile, const Shape& shape, std::size_t row, std::size_t rows,
                 bool squares, Scratch& s) const {
    std::copy_n(s.weights.data(), rows, s.left.data());
    for (std::size_t b = 0; b < shape.height; ++b) {
      const double* column = column_of(tile.b0 + b) + row;
      double* out = s.left.data() + (1 + b) * rows;
      for (std::size_t i = 0; i < rows; ++i) out[i] = s.weights[i] * column[i];
      if (!squares) continue;
      double* squared = out + shape.height * rows;
      for (std::size_t i = 0; i < rows; ++i) squared[i] = out[i] * column[i];
    }
  }

  // The features of a subset of the tile, ascending.
  [[nodiscard]] Subset features_of(const SubsetTile& tile, std::size_t b, std::size_t c) const {
    Subset features{single_[c], single_[b]};
    for (const std::size_t q : tile.outer) features.push_back(single_[q]);
    return features;
  }

  void rank(const SubsetTile& tile, Scratch& s, Ranking& ranking) const {
    const Shape shape{tile.b1 - tile.b0, tile.c1 - tile.c0};
    const int size = static_cast<int>(tile.outer.size()) + 2;
    const std::size_t p = std::size_t{1} << size;
    s.gram.resize(p * p);
    s.products.resize(p * label_columns_);
    for (std::size_t b = tile.b0; b < tile.b1; ++b) {
      stop_if_asked();
      for (std::size_t c = tile.c0; c < tile.last_c(b); ++c) {
        assemble(shape, p, b - tile.b0, c - tile.c0, s);
        const Subset features = features_of(tile, b, c);
        if (!orthonormalise(s.gram.data(), p, s.transform, s.inner)) {
          ranking.offer(score(features), features);
          continue;
        }
        project(p, s);
        const SweepSubset subset{size,         s.outer_pointers.data(), column_of(b),
                                 column_of(c), s.transform.data(),      s.f.data()};
        ranking.offer(finished(sweep(sweep_label_, subset)), features);
      }
    }
  }

  void assemble(const Shape& shape, std::size_t p, std::size_t b, std::size_t c, Scratch& s) const {
    const std::size_t masks = p / 4;
    for (std::size_t l = 0; l < p; ++l) {
      for (std::size_t k = l; k < p; ++k) {
        std::size_t power = 0;
        std::size_t base = 1;
        for (std::size_t bit = 4; bit < p; bit *= 2, base *= 3) {
          power += base * (((k & bit) != 0 ? 1U : 0U) + ((l & bit) != 0 ? 1U : 0U));
        }
        const int c_power = static_cast<int>((k & 1U) + (l & 1U));
        const int b_power = static_cast<int>((k >> 1U & 1U) + (l >> 1U & 1U));
        s.gram[k + l * p] = s.moments[power * shape.size() + shape.at(b_power, b, c_power, c)];
      }
      for (std::size_t y = 0; y < label_columns_; ++y) {
        s.products[y * p + l] = s.with_label[(y * masks + l / 4) * shape.label_size() +
                                             shape.with_label(static_cast<int>(l >> 1U & 1U), b,
                                                              static_cast<int>(l & 1U), c)];
      }
    }
  }

  // The label's coefficients: s.f from s.products.
  void project(std::size_t p, Scratch& s) const {
    s.f.assign(p * label_columns_, 0.0);
    for (std::size_t y = 0; y < label_columns_; ++y) {
      for (std::size_t k = 0; k < p; ++k) {
        const double* row = s.transform.data() + k * (k + 1) / 2;
        for (std::size_t m = 0; m <= k; ++m) s.f[y * p + k] += row[m] * s.products[y * p + m];
      }
    }
  }

  // Pairs of two classes, the common case: 1 and x_b are orthonormal as they are.
  void rank_pairs(const SubsetTile& tile, Scratch& s, Ranking& ranking) const {
    const Shape shape{tile.b1 - tile.b0, tile.c1 - tile.c0};
    s.base.resize(rows_);
    for (std::size_t b = tile.b0; b < tile.b1; ++b) {
      if (tile.last_c(b) <= tile.c0) continue;
      stop_if_asked();
      const double* x = column_of(b);
      const double f1 = s.with_label[shape.with_label(1, b - tile.b0, 0, 0)];
      for (std::size_t i = 0; i < rows_; ++i) {
        s.base[i] = y_mean_ - scaled_[i] + x[i] * (f1 - scaled_[i] * x[i]);
      }
      double v[4][8];
      const double* pointers[4] = {v[0], v[1], v[2], v[3]};
      const double* columns[4];
      std::size_t waiting[4];
      std::size_t count = 0;
      const auto flush = [&] {
        for (std::size_t k = count; k < 4; ++k) {
          columns[k] = columns[0];
          pointers[k] = v[0];
        }
        double sums[4];
        sweep_four_pairs(sweep_label_, x, s.base.data(), columns, pointers, sums);
        for (std::size_t k = 0; k < count; ++k) {
          ranking.offer(finished(sums[k]), features_of(tile, b, waiting[k]));
          pointers[k] = v[k];
        }
        for (std::size_t k = count; k < 4; ++k) pointers[k] = v[k];
        count = 0;
      };
      for (std::size_t c = tile.c0; c < tile.last_c(b); ++c) {
        if (!pair_functions(shape, b - tile.b0, c - tile.c0, s, v[count])) {
          const Subset features = features_of(tile, b, c);
          ranking.offer(score(features), features);
          continue;
        }
        columns[count] = column_of(c);
        waiting[count] = c;
        if (++count == 4) flush();
      }
      if (count > 0) flush();
    }
  }

  // What is left of x_c after 1 and x_b, and of x_b x_c after these (see sweep_four_pairs).
  [[nodiscard]] bool pair_functions(const Shape& shape, std::size_t b, std::size_t c,
                                    const Scratch& s, double v[8]) const {
    const auto moment = [&](int b_power, int c_power) {
      return s.moments[shape.at(b_power, b, c_power, c)];
    };
    const auto with_label = [&](int b_power, int c_power) {
      return s.with_label[shape.with_label(b_power, b, c_power, c)];
    };
    std::fill_n(v, 8, 0.0);
    const double g = moment(1, 1);
    const double left = moment(0, 2) - g * g;
    double r = 0;  // 1 / norm, 0 where trivial
    if (left > surely_trivial) {
      if (left < surely_not_trivial) return false;
      r = 1 / std::sqrt(left);
      v[0] = r;
      v[1] = -g * r;
      v[6] = (with_label(0, 1) - g * with_label(1, 0)) * r;
    }
    const double square = moment(2, 2);
    const double a1 = moment(2, 1);
    const double a2 = (moment(1, 2) - g * a1) * r;
    const double left3 = square - g * g - a1 * a1 - a2 * a2;
    if (left3 > surely_trivial * square) {
      if (left3 < surely_not_trivial * square) return false;
      const double r3 = 1 / std::sqrt(left3);
      v[2] = r3;
      v[3] = -a2 * r * r3;
      v[4] = (a2 * g * r - a1) * r3;
      v[5] = -g * r3;
      v[7] = (with_label(1, 1) - g * y_mean_ - a1 * with_label(1, 0) - a2 * v[6]) * r3;
    }
    return true;
  }

  // Subsets with a feature of several columns (with weights, all subsets), one by one.
  void score_multiple(std::size_t size, Ranking& ranking, SharedProgress& progress) const {
    std::vector<std::size_t> order = multiple_;
    order.insert(order.end(), single_.begin(), single_.end());
    for_each_prefix(order.size(), multiple_.size(), size,
                    [&](std::span<const std::size_t> prefix, std::size_t first) {
                      for (std::size_t k = first; k < order.size(); ++k) {
                        stop_if_asked();
                        Subset features{order[k]};
                        for (const std::size_t q : prefix) features.push_back(order[q]);
                        std::sort(features.begin(), features.end());
                        ranking.offer(score_by_gram(features), features);
                      }
                      if (first < order.size()) progress.add(order.size() - first);
                    });
  }

  // One subset from its Gram matrix, in two passes over blocks of rows.
  [[nodiscard]] double score_by_gram(const Subset& features) const {
    const std::vector<Parity> parities = parities_of(features);
    const std::size_t p = parities.size();
    if (p > most_gram_products) return score(features);
    Scratch s;
    s.gram.assign(p * p, 0.0);
    s.products.assign(p * label_columns_, 0.0);
    s.left.resize(row_block * p);
    const double* columns = data_->weighted() ? scaled_columns_.data() : columns_.data();
    for (std::size_t row = 0; row < rows_; row += row_block) {
      const std::size_t rows = std::min(row_block, rows_ - row);
      for (std::size_t k = 0; k < p; ++k) {
        evaluate(parities[k], row, rows, s.left.data() + k * rows);
        scale(row, rows, s.left.data() + k * rows);
      }
      blas::syrk_lower(blas::Op::transpose, p, rows, 1 / weight_, s.left.data(), rows, 1.0,
                       s.gram.data(), p);
      blas::gemm(blas::Op::transpose, blas::Op::none, p, label_columns_, rows, 1 / weight_,
                 s.left.data(), rows, columns + row, rows_, 1.0, s.products.data(), p);
    }
    if (!orthonormalise(s.gram.data(), p, s.transform, s.inner)) return score(features);
    project(p, s);
    return finished(sum_rows(parities, s));
  }

  [[nodiscard]] double sum_rows(const std::vector<Parity>& parities, Scratch& s) const {
    const std::size_t p = parities.size();
    std::vector<double> transform(p * p);  // upper triangular: function k in column k
    for (std::size_t k = 0; k < p; ++k) {
      std::copy_n(s.transform.data() + k * (k + 1) / 2, k + 1, transform.data() + k * p);
    }
    const double n = weight_;
    std::vector<double> functions(row_block * p);
    std::vector<double> fitted(row_block * label_columns_);
    double sum = 0;
    for (std::size_t row = 0; row < rows_; row += row_block) {
      const std::size_t rows = std::min(row_block, rows_ - row);
      for (std::size_t k = 0; k < p; ++k) {
        evaluate(parities[k], row, rows, s.left.data() + k * rows);
      }
      blas::gemm(blas::Op::none, blas::Op::none, rows, p, p, 1.0, s.left.data(), rows,
                 transform.data(), p, 0.0, functions.data(), rows);
      blas::gemm(blas::Op::none, blas::Op::none, rows, label_columns_, p, 1.0, functions.data(),
                 rows, s.f.data(), p, 0.0, fitted.data(), rows);
      for (std::size_t i = 0; i < rows; ++i) {
        double h = 0;
        for (std::size_t k = 0; k < p; ++k) {
          h += functions[k * rows + i] * functions[k * rows + i];
        }
        const Label& label = data_->label;
        const double own = h / n * label.unit_of(row + i);
        sum += label.weight_of(row + i) * row_part(row + i, own, fitted.data() + i, rows);
      }
    }
    return sum;
  }

  [[nodiscard]] double row_part(std::size_t row, double h, const double* fitted,
                                std::size_t stride) const {
    const double n = weight_;
    if (measure_ == Measure::m_n) return std::abs(fitted[0] - h * y_[row]);
    if (measure_ == Measure::q2) {
      const double residual =
          1 - h > trivial ? (y_[row] - fitted[0]) / (1 - h) : y_[row] * n / (n - 1);
      return residual * residual;
    }
    double best = -1e300;
    for (std::size_t y = 0; y < label_columns_; ++y) {
      const double own = data_->label.codes[row] == y ? h : 0;
      best = std::max(best, fitted[y * stride] - own);
    }
    return best;
  }

  const SupervisedData* data_;
  Measure measure_;
  std::size_t rows_;
  double weight_;             // of all rows: n
  Subset single_, multiple_;  // candidates of one column, of several
  std::size_t label_columns_ = 1;
  std::vector<double> y_;               // as the sweep reads it
  std::vector<double> scaled_;          // y / n
  std::vector<double> columns_;         // that are projected
  std::vector<double> scaled_columns_;  // times √w
  double y_mean_ = 0;
  double total_ = 0;
  SweepLabel sweep_label_{};
};

}  // namespace

std::unique_ptr<SubsetScorer> make_projection_scorer(const SupervisedData& data) {
  return std::make_unique<ProjectionScorer>(data);
}

}  // namespace fsieve::methods
