// The projection kernel: the span of a subset's products of design columns. Gram matrices of all
// subsets of a tile come from its moments, are made orthonormal one by one, and one sweep over the
// rows gives the score. Where a product is nearly a combination of others, the subset is done again
// on the rows themselves.
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/stop.h"
#include "bits/subset_tiles.h"
#include "fsieve/error.h"
#include "methods/union/class_pairs.h"
#include "methods/union/pair_screen.h"
#include "methods/union/projected_label.h"
#include "methods/union/scorer.h"
#include "methods/union/subset_projection.h"
#include "methods/union/sweep.h"
#include "methods/union/tile_moments.h"

namespace fsieve::inline methods {
namespace {

using Subset = std::vector<std::size_t>;

// The functions of {b, c} for sweep_four_pairs: what is left of x_c after 1 and x_b, which are
// orthonormal as they are, and of x_b x_c after these. False where the rows must decide.
bool pair_functions(const TileMoments& moments, std::size_t b, std::size_t c, double label_mean,
                    double v[8]) {
  std::fill_n(v, 8, 0.0);
  const double g = moments.moment(1, b, 1, c);
  const double left = moments.moment(0, b, 2, c) - g * g;
  double r = 0;  // 1 / norm, 0 where trivial
  if (left > surely_trivial) {
    if (left < surely_not_trivial) return false;
    r = 1 / std::sqrt(left);
    v[0] = r;
    v[1] = -g * r;
    v[6] = (moments.with_label(0, b, 1, c) - g * moments.with_label(1, b, 0, c)) * r;
  }
  const double square = moments.moment(2, b, 2, c);
  const double a1 = moments.moment(2, b, 1, c);
  const double a2 = (moments.moment(1, b, 2, c) - g * a1) * r;
  const double left3 = square - g * g - a1 * a1 - a2 * a2;
  if (left3 > surely_trivial * square) {
    if (left3 < surely_not_trivial * square) return false;
    const double r3 = 1 / std::sqrt(left3);
    v[2] = r3;
    v[3] = -a2 * r * r3;
    v[4] = (a2 * g * r - a1) * r3;
    v[5] = -g * r3;
    v[7] = (moments.with_label(1, b, 1, c) - g * label_mean - a1 * moments.with_label(1, b, 0, c) -
            a2 * v[6]) *
           r3;
  }
  return true;
}

class ProjectionScorer final : public SubsetScorer {
 public:
  explicit ProjectionScorer(const SupervisedData& data)
      : data_(&data), label_(data), projection_(data, label_) {
    for (const std::size_t j : data.features) {
      const DesignFeature& feature = data.design.features[j];
      const bool in_tiles = feature.last - feature.first == 1 && !data.weighted();
      (in_tiles ? single_ : multiple_).push_back(j);
      if (in_tiles) columns_.push_back(data.column(feature.first));
    }
  }
  ProjectionScorer(const ProjectionScorer&) = delete;
  ProjectionScorer& operator=(const ProjectionScorer&) = delete;

  void score_all(int size, Ranking& ranking, Progress& progress) const override {
    if (size < 1 || size > most_real_depth) {
      throw Error("subsets of 1 to 4 real features can be scored", Error::Kind::usage);
    }
    const std::size_t d = data_->features.size();
    SharedProgress shared(progress, "subsets", choose(d, static_cast<std::size_t>(size)));
    if (size == 1) {
      in_parallel(d, [&](std::size_t k) {
        const std::span one(&data_->features[k], 1);
        ranking.offer(projection_.by_gram(one), one);
      });
      shared.add(d);
    } else {
      score_single(size, ranking, shared);
      score_multiple(static_cast<std::size_t>(size), ranking, shared);
    }
    shared.end();
  }

  [[nodiscard]] double score(std::span<const std::size_t> features) const override {
    return projection_.by_rows(features);
  }

 private:
  struct Scratch {
    TileMoments moments;
    OrthonormalProducts products;
    std::vector<double> base;
  };

  // Subsets of features of one column each.
  void score_single(int size, Ranking& ranking, SharedProgress& progress) const {
    if (single_.size() < static_cast<std::size_t>(size)) return;
    if (size == 2 && label_.measure() == Measure::bayes_accuracy) {
      const auto by_rows = [&](std::span<const std::size_t> pair) { return score(pair); };
      return ClassPairs(*data_, single_, by_rows).rank(ranking, progress);
    }
    const std::size_t width = size == 4 ? 32 : 64;
    tbb::enumerable_thread_specific<Scratch> scratch;
    for_each_tile(single_.size(), size, width / 2, width, progress, [&](const SubsetTile& tile) {
      Scratch& s = scratch.local();
      s.moments.add(tile, columns_, data_->rows(), label_);
      if (label_.measure() == Measure::m_n && tile.outer.empty()) {
        rank_pairs(tile, s, ranking);
      } else {
        rank(tile, s, ranking);
      }
    });
  }

  // The features of a subset of the tile, ascending.
  [[nodiscard]] Subset features_of(const SubsetTile& tile, std::size_t b, std::size_t c) const {
    Subset features{single_[c], single_[b]};
    for (const std::size_t q : tile.outer) features.push_back(single_[q]);
    return features;
  }

  void rank(const SubsetTile& tile, Scratch& s, Ranking& ranking) const {
    const int size = static_cast<int>(tile.outer.size()) + 2;
    const std::size_t p = std::size_t{1} << size;
    for (std::size_t b = tile.b0; b < tile.b1; ++b) {
      stop_if_asked();
      for (std::size_t c = tile.c0; c < tile.last_c(b); ++c) {
        s.moments.assemble(b - tile.b0, c - tile.c0, s.products);
        const Subset features = features_of(tile, b, c);
        if (!s.products.orthonormalise(p)) {
          ranking.offer(score(features), features);
          continue;
        }
        s.products.project(p);
        const SweepSubset subset{size,        s.moments.outer(),           columns_[b],
                                 columns_[c], s.products.transform.data(), s.products.f.data()};
        ranking.offer(label_.finished(sweep(label_.for_sweeps(), subset)), features);
      }
    }
  }

  // Pairs of two classes, the common case: four at a time.
  void rank_pairs(const SubsetTile& tile, Scratch& s, Ranking& ranking) const {
    s.base.resize(data_->rows());
    for (std::size_t b = tile.b0; b < tile.b1; ++b) {
      if (tile.last_c(b) <= tile.c0) continue;
      stop_if_asked();
      make_base(s.moments.with_label(1, b - tile.b0, 0, 0), columns_[b], s.base);
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
        sweep_four_pairs(label_.for_sweeps(), columns_[b], s.base.data(), columns, pointers, sums);
        for (std::size_t k = 0; k < count; ++k) {
          ranking.offer(label_.finished(sums[k]), features_of(tile, b, waiting[k]));
        }
        for (std::size_t k = count; k < 4; ++k) pointers[k] = v[k];
        count = 0;
      };
      for (std::size_t c = tile.c0; c < tile.last_c(b); ++c) {
        if (!pair_functions(s.moments, b - tile.b0, c - tile.c0, label_.mean(), v[count])) {
          const Subset features = features_of(tile, b, c);
          ranking.offer(score(features), features);
          continue;
        }
        columns[count] = columns_[c];
        waiting[count] = c;
        if (++count == 4) flush();
      }
      if (count > 0) flush();
    }
  }

  // What the constant and x_b, whose product with the label is f, add to ŷ − h y.
  void make_base(double f, const double* x, std::vector<double>& base) const {
    const double* y = label_.over_n();
    for (std::size_t i = 0; i < base.size(); ++i) {
      base[i] = label_.mean() - y[i] + x[i] * (f - y[i] * x[i]);
    }
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
                        ranking.offer(projection_.by_gram(features), features);
                      }
                      if (first < order.size()) progress.add(order.size() - first);
                    });
  }

  const SupervisedData* data_;
  ProjectedLabel label_;
  SubsetProjection projection_;
  Subset single_, multiple_;            // candidates of one column, of several
  std::vector<const double*> columns_;  // of single_
};

}  // namespace

std::unique_ptr<SubsetScorer> make_projection_scorer(const SupervisedData& data) {
  return std::make_unique<ProjectionScorer>(data);
}

}  // namespace fsieve::methods
