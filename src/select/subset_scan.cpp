#include "select/subset_scan.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <set>

#include "blas/tiles.h"

namespace fsieve {
namespace {

using blas::Op;

constexpr double tiny = 1e-300;

struct Candidate {
  double promise = 0;
  std::vector<std::size_t> columns;  // positions in the scan

  bool operator<(const Candidate& other) const {
    return promise != other.promise ? promise > other.promise : columns < other.columns;
  }
};

// Keeps the best few of many.
class BestList {
 public:
  explicit BestList(std::size_t limit) : limit_(limit) {}

  [[nodiscard]] bool wants(double promise) const {
    return list_.size() < limit_ || promise > list_.rbegin()->promise;
  }
  void offer(Candidate candidate) {
    list_.insert(std::move(candidate));
    if (list_.size() > limit_) list_.erase(std::prev(list_.end()));
  }
  [[nodiscard]] const std::set<Candidate>& list() const { return list_; }

 private:
  std::size_t limit_;
  std::set<Candidate> list_;
};

class Scan {
 public:
  Scan(const SupervisedData& data, const std::vector<double>& residual,
       const std::vector<std::size_t>& features, std::size_t limit)
      : n_(data.rows()), labels_(residual.size() / n_), residual_(residual), best_(limit) {
    for (const std::size_t feature : features) {
      for (std::size_t c = data.design.features[feature].first;
           c < data.design.features[feature].last; ++c) {
        owner_.push_back(feature);
      }
    }
    values_ = Buffer(n_ * owner_.size());
    squares_ = Buffer(n_ * owner_.size());
    std::size_t at = 0;
    for (const std::size_t feature : features) {
      for (std::size_t c = data.design.features[feature].first;
           c < data.design.features[feature].last; ++c, ++at) {
        const double* column = data.column(c);
        for (std::size_t i = 0; i < n_; ++i) {
          values_.data()[at * n_ + i] = column[i];
          squares_.data()[at * n_ + i] = column[i] * column[i];
        }
      }
    }
    single_promises();
  }

  void pairs() {
    const std::vector<double> one(n_, 1.0);
    scan(owner_.size(), one, {}, 0);
  }

  // All subsets of more than two: the highest columns are fixed one after another, and the two
  // lowest are scanned as pairs of columns below them.
  void larger(int size, Progress& progress) {
    progress.begin("looking for hidden subsets", owner_.size());
    keep_pair_promises();
    std::vector<double> weight(n_, 1.0);
    std::vector<std::size_t> high;
    descend(owner_.size(), size - 2, weight, high, progress);
    progress.end();
  }

  [[nodiscard]] std::vector<std::vector<std::size_t>> features() const {
    std::vector<std::vector<std::size_t>> subsets;
    for (const Candidate& candidate : best_.list()) {
      std::vector<std::size_t> subset;
      for (const std::size_t column : candidate.columns) subset.push_back(owner_[column]);
      std::sort(subset.begin(), subset.end());
      if (std::find(subsets.begin(), subsets.end(), subset) == subsets.end()) {
        subsets.push_back(std::move(subset));
      }
    }
    return subsets;
  }

 private:
  void single_promises() {
    const std::size_t count = owner_.size();
    std::vector<double> inner(labels_ * count);
    blas::tiled_gemm(Op::transpose, Op::none, labels_, count, n_, 1.0, residual_.data(), n_,
                     values_.data(), n_, 0.0, inner.data(), labels_);
    single_.resize(count);
    for (std::size_t j = 0; j < count; ++j) {
      single_[j] = blas::dot(labels_, inner.data() + j * labels_, inner.data() + j * labels_) /
                   static_cast<double>(n_);
    }
  }

  // The promise of the products (low pair) x weight for all pairs of columns below `top`, by matrix
  // products over tiles: sum over labels of (F^T Diag(residual weight) F)^2 / (F²^T Diag(weight²)
  // F²). Calls found(u, v, promise) for u < v.
  template <class Found>
  void pair_products(std::size_t top, const std::vector<double>& weight, const Found& found) const {
    constexpr std::size_t width = 128;
    const std::size_t blocks = (top + width - 1) / width;
    std::vector<std::vector<double>> promises(blocks);
    tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t block) {
      const std::size_t first = block * width;
      const std::size_t count = std::min(width, top - first);
      const std::size_t across = first + count;  // columns u up to the block's own
      std::vector<double> scaled(n_ * count);
      std::vector<double> inner(across * count);
      std::vector<double>& promise = promises[block];
      promise.assign(across * count, 0.0);
      for (std::size_t y = 0; y < labels_; ++y) {
        for (std::size_t k = 0; k < count; ++k) {
          const double* column = values_.data() + (first + k) * n_;
          for (std::size_t i = 0; i < n_; ++i) {
            scaled[k * n_ + i] = column[i] * weight[i] * residual_[y * n_ + i];
          }
        }
        blas::gemm(Op::transpose, Op::none, across, count, n_, 1.0, values_.data(), n_,
                   scaled.data(), n_, 0.0, inner.data(), across);
        for (std::size_t k = 0; k < inner.size(); ++k) promise[k] += inner[k] * inner[k];
      }
      for (std::size_t k = 0; k < count; ++k) {
        const double* column = squares_.data() + (first + k) * n_;
        for (std::size_t i = 0; i < n_; ++i) scaled[k * n_ + i] = column[i] * weight[i] * weight[i];
      }
      blas::gemm(Op::transpose, Op::none, across, count, n_, 1.0, squares_.data(), n_,
                 scaled.data(), n_, 0.0, inner.data(), across);
      for (std::size_t k = 0; k < inner.size(); ++k) promise[k] /= std::max(inner[k], tiny);
    });
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t first = block * width;
      const std::size_t count = std::min(width, top - first);
      for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t u = 0; u < first + k; ++u) {
          if (owner_[u] == owner_[first + k]) continue;
          found(u, first + k, promises[block][u + k * (first + count)]);
        }
      }
    }
  }

  void scan(std::size_t top, const std::vector<double>& weight,
            const std::vector<std::size_t>& high, double base) {
    pair_products(top, weight, [&](std::size_t u, std::size_t v, double product) {
      double promise = base + single_[u] + single_[v] + product;
      if (!high.empty()) {
        promise += pair_[u + v * owner_.size()];
        for (const std::size_t c : high) {
          promise += pair_[u + c * owner_.size()] + pair_[v + c * owner_.size()];
        }
      }
      if (!best_.wants(promise)) return;
      Candidate candidate{promise, {u, v}};
      candidate.columns.insert(candidate.columns.end(), high.begin(), high.end());
      best_.offer(std::move(candidate));
    });
  }

  void keep_pair_promises() {
    pair_.assign(owner_.size() * owner_.size(), 0.0);
    pair_products(owner_.size(), std::vector<double>(n_, 1.0),
                  [&](std::size_t u, std::size_t v, double product) {
                    pair_[u + v * owner_.size()] = product;
                  });
  }

  void descend(std::size_t below, int more, const std::vector<double>& weight,
               std::vector<std::size_t>& high, Progress& progress) {
    if (more == 0) {
      double base = 0;
      for (std::size_t a = 0; a < high.size(); ++a) {
        base += single_[high[a]];
        for (std::size_t b = 0; b < a; ++b) base += pair_[high[a] + high[b] * owner_.size()];
      }
      scan(below, weight, high, base);
      return;
    }
    for (std::size_t c = 0; c < below; ++c) {
      if (high.empty()) progress.advance(c);
      const bool same = std::any_of(high.begin(), high.end(),
                                    [&](std::size_t h) { return owner_[h] == owner_[c]; });
      if (same) continue;
      std::vector<double> next(n_);
      for (std::size_t i = 0; i < n_; ++i) next[i] = weight[i] * values_.data()[c * n_ + i];
      high.push_back(c);
      descend(c, more - 1, next, high, progress);
      high.pop_back();
    }
  }

  std::size_t n_;
  std::size_t labels_;
  const std::vector<double>& residual_;
  std::vector<std::size_t> owner_;  // feature of each column
  Buffer values_;
  Buffer squares_;
  std::vector<double> single_;
  std::vector<double> pair_;
  BestList best_;
};

}  // namespace

std::vector<std::vector<std::size_t>> promising_subsets(const SupervisedData& data,
                                                        const std::vector<double>& residual,
                                                        const std::vector<std::size_t>& features,
                                                        int size, std::size_t limit,
                                                        Progress& progress) {
  Scan scan(data, residual, features, limit);
  if (size == 2) {
    scan.pairs();
  } else {
    scan.larger(size, progress);
  }
  return scan.features();
}

}  // namespace fsieve
