#include "methods/forward/subset_scan.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>

#include "base/parallel.h"
#include "bits/best_subsets.h"
#include "bits/subset_tiles.h"
#include "linalg/narrow.h"
#include "linalg/tiles.h"
#include "methods/forward/pair_promises.h"
#include "methods/forward/pair_screen.h"
#include "methods/forward/sign_promises.h"

namespace fsieve::inline methods {
namespace {

using blas::Op;

std::vector<std::size_t> columns_of(const SupervisedData& data,
                                    const std::vector<std::size_t>& features) {
  std::vector<std::size_t> columns;
  for (const std::size_t feature : features) {
    for (std::size_t c = data.design.features[feature].first; c < data.plain_end(feature); ++c) {
      columns.push_back(c);
    }
  }
  return columns;
}

// Before anything is taken the label is as it was, and sums over two-valued columns are counts.
bool counts_suffice(const SupervisedData& data, const std::vector<double>& residual,
                    const std::vector<std::size_t>& columns) {
  return data.label.classification && !data.weighted() &&
         std::all_of(columns.begin(), columns.end(),
                     [&](std::size_t c) { return data.design.columns[c].two_valued; }) &&
         residual == data.label.scaled_columns();
}

// The same in a unit in which all of it together is about 1: in single precision there is no room
// for squares of any unit. A power of two, so that no digit changes.
std::vector<double> of_unit_size(std::vector<double> residual) {
  double largest = 0;
  for (const double value : residual) largest = std::max(largest, std::abs(value));
  int exponent = 0;
  std::frexp(largest * std::sqrt(static_cast<double>(residual.size())), &exponent);
  for (double& value : residual) value = std::ldexp(value, -exponent);
  return residual;
}

class Scan {
 public:
  Scan(const SupervisedData& data, const std::vector<double>& residual,
       const std::vector<std::size_t>& features, double least_rows, std::size_t limit,
       const DeviceColumns* device)
      : n_(data.rows()),
        most_peak_(least_rows > 0 ? data.weight() / least_rows
                                  : std::numeric_limits<double>::infinity()),
        labels_(residual.size() / n_),
        unit_(data.unit),
        residual_(of_unit_size(residual)),
        best_(limit) {
    const std::vector<std::size_t> columns = columns_of(data, features);
    for (const std::size_t feature : features) {
      owner_.insert(owner_.end(), data.plain_end(feature) - data.design.features[feature].first,
                    feature);
    }
    const bool by_counts = counts_suffice(data, residual, columns);
    if (device != nullptr && !by_counts) on_device_.emplace(*device, residual_, columns);
    values_ = Buffer(n_ * columns.size());
    in_parallel(columns.size(), [&](std::size_t k) {
      std::copy_n(data.column(columns[k]), n_, values_.data() + k * n_);
    });
    peak_.resize(columns.size());
    const bool asked = std::isfinite(most_peak_);
    in_parallel(asked ? columns.size() : 0, [&](std::size_t k) {
      for (std::size_t i = 0; i < n_; ++i) {
        const double value = values_.data()[k * n_ + i];
        peak_[k] = std::max(peak_[k], value * value);
      }
    });
    single_promises(data.weight());
    if (by_counts) {
      signs_ =
          std::make_unique<SignPromises>(data.label, values_.data(), columns.size(), residual_);
    }
  }

  // In single precision, or in whole numbers, a pair is only found; its promise is exact.
  void pairs() {
    const std::size_t count = owner_.size();
    if (signs_ || on_device_) return scan(count, unit_, {});
    if (!PairScreen::pays(n_, count, labels_))
      return scan_closely(all_pairs(count), in_input_order());
    const PairScreen screen(n_, values_.data(), single_, unit_, residual_);
    const auto left = screen.for_each([&] { return best_.threshold(); },
                                      [&](std::size_t u, std::size_t v) { offer_exactly(u, v); });
    scan_closely(left, screen.order());
  }

  // All subsets of more than two: the highest columns are fixed one after another, and the two
  // lowest are scanned as pairs of columns below them.
  void larger(int size, Progress& progress) {
    narrow(in_input_order());
    keep_pair_promises();
    SharedProgress shared(progress, "looking for hidden subsets",
                          static_cast<double>(owner_.size()));
    const auto below = [&](std::size_t c) {
      descend(c, size - 3, times_column(unit_, c), {c});
      shared.add(1);
    };
    if (on_device_) {
      for (std::size_t c = 0; c < owner_.size(); ++c) below(c);
    } else {
      in_parallel_one_by_one(owner_.size(), below);
    }
    shared.end();
  }

  [[nodiscard]] std::vector<std::vector<std::size_t>> features() const {
    std::vector<std::vector<std::size_t>> subsets;
    for (const PromisingSubset& promising : best_.list()) {
      std::vector<std::size_t> subset;
      for (const std::size_t column : promising.columns) subset.push_back(owner_[column]);
      std::sort(subset.begin(), subset.end());
      if (std::find(subsets.begin(), subsets.end(), subset) == subsets.end()) {
        subsets.push_back(std::move(subset));
      }
    }
    return subsets;
  }

 private:
  void single_promises(double weight) {
    const std::size_t count = owner_.size();
    std::vector<double> inner(labels_ * count);
    std::vector<double> scaled = residual_;
    for (std::size_t i = 0; i < scaled.size(); ++i) scaled[i] *= unit_[i % n_];
    blas::tiled_gemm(Op::transpose, Op::none, labels_, count, n_, 1.0, scaled.data(), n_,
                     values_.data(), n_, 0.0, inner.data(), labels_);
    single_.resize(count);
    for (std::size_t j = 0; j < count; ++j) {
      single_[j] =
          blas::dot(labels_, inner.data() + j * labels_, inner.data() + j * labels_) / weight;
    }
  }

  [[nodiscard]] std::vector<std::size_t> in_input_order() const {
    std::vector<std::size_t> order(owner_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
  }

  void narrow(const std::vector<std::size_t>& order) {
    if (on_device_) return;
    narrow_.resize(n_ * order.size());
    in_parallel(order.size(), [&](std::size_t k) {
      blas::narrow(n_, values_.data() + order[k] * n_, narrow_.data() + k * n_);
    });
  }

  // Calls found(u, v, promise) for all pairs u < v of a tile.
  template <class Found>
  static void for_each_place_in(const PromiseTile& tile, const Found& found) {
    const std::size_t height = tile.u1 - tile.u0;
    for (std::size_t v = tile.v0; v < tile.v1; ++v) {
      const double* promise = tile.promise + (v - tile.v0) * height;
      for (std::size_t u = tile.u0; u < std::min(tile.u1, v); ++u) {
        found(u, v, promise[u - tile.u0]);
      }
    }
  }

  // For those of columns of different features.
  template <class Found>
  void for_each_in(const PromiseTile& tile, const Found& found) const {
    for_each_place_in(tile, [&](std::size_t u, std::size_t v, double promise) {
      if (owner_[u] != owner_[v]) found(u, v, promise);
    });
  }

  // Calls found(u, v, promise) from many threads for u < v < top of different features.
  template <class Found>
  void for_each_pair(std::size_t top, const std::vector<double>& weight, const Found& found) const {
    const auto take = [&](const PromiseTile& tile) { for_each_in(tile, found); };
    if (signs_ && &weight == &unit_) {
      signs_->for_each(top, take);
    } else {
      pair_promises(n_, narrow_.data(), all_pairs(top), weight, residual_, take);
    }
  }

  // Pairs of these columns, in single precision, less what it may be off.
  void scan_closely(const std::vector<PromiseTile>& tiles, const std::vector<std::size_t>& order) {
    if (tiles.empty()) return;
    narrow(order);
    const double off = 4 * blas::rounding_of_inner_product(n_);
    const double all = std::sqrt(blas::dot(residual_.size(), residual_.data(), residual_.data()));
    const auto found = [&](std::size_t p, std::size_t q, double product) {
      const std::size_t u = std::min(order[p], order[q]);
      const std::size_t v = std::max(order[p], order[q]);
      const double most = std::sqrt(product) * (1 + off) + off * all;
      if (single_[u] + single_[v] + most * most >= best_.threshold()) offer_exactly(u, v);
    };
    pair_promises(n_, narrow_.data(), tiles, unit_, residual_,
                  [&](const PromiseTile& tile) { for_each_place_in(tile, found); });
  }

  // All pairs below `top` together with the columns `high`, whose product (times √w) is `weight`.
  void scan(std::size_t top, const std::vector<double>& weight,
            const std::vector<std::size_t>& high) {
    double base = 0;
    for (std::size_t a = 0; a < high.size(); ++a) {
      base += single_[high[a]];
      for (std::size_t b = 0; b < a; ++b) base += pair(high[a], high[b]);
    }
    if (on_device_) return scan_on_device(top, weight, high, base);
    for_each_pair(top, weight, [&](std::size_t u, std::size_t v, double product) {
      double promise = base + single_[u] + single_[v] + product;
      if (!high.empty()) {
        promise += pair(u, v);
        for (const std::size_t c : high) promise += pair(u, c) + pair(v, c);
      }
      offer(promise, u, v, high);
    });
  }

  void scan_on_device(std::size_t top, const std::vector<double>& weight,
                      const std::vector<std::size_t>& high, double base) {
    DeviceScan::Wanted wanted;
    for (std::size_t u = 0; u < top; ++u) {
      wanted.terms.push_back(single_[u]);
      for (const std::size_t c : high) wanted.terms.back() += pair(u, c);
    }
    wanted.with_pairs = !high.empty();
    wanted.least = [&] { return best_.threshold() - base; };
    wanted.take = [&](std::size_t u, std::size_t v, double promise) {
      if (owner_[u] != owner_[v]) offer(base + promise, u, v, high);
    };
    on_device_->scan(top, weight, wanted);
  }

  void offer(double promise, std::size_t u, std::size_t v, const std::vector<std::size_t>& high) {
    if (promise < best_.threshold() || sparse(u, v, high)) return;
    const bool same = std::any_of(high.begin(), high.end(), [&](std::size_t c) {
      return owner_[c] == owner_[u] || owner_[c] == owner_[v];
    });
    if (same) return;
    PromisingSubset subset{promise, {u, v}};
    subset.columns.insert(subset.columns.end(), high.begin(), high.end());
    best_.offer(std::move(subset));
  }

  void offer_exactly(std::size_t u, std::size_t v) {
    if (owner_[u] == owner_[v] || sparse(u, v, {})) return;
    std::vector<double>& product = product_.local();
    product.resize(n_);
    const double* first = values_.data() + u * n_;
    const double* second = values_.data() + v * n_;
    for (std::size_t i = 0; i < n_; ++i) product[i] = unit_[i] * first[i] * second[i];
    double promise = 0;
    for (std::size_t y = 0; y < labels_; ++y) {
      const double inner = blas::dot(n_, product.data(), residual_.data() + y * n_);
      promise += inner * inner;
    }
    promise /=
        std::max(blas::dot(n_, product.data(), product.data()), std::numeric_limits<double>::min());
    offer(promise + single_[u] + single_[v], u, v, {});
  }

  // Columns have variance 1, so a product of peaks P is carried by about n / P rows or more.
  [[nodiscard]] bool sparse(std::size_t u, std::size_t v,
                            const std::vector<std::size_t>& high) const {
    double peak = peak_[u] * peak_[v];
    for (const std::size_t c : high) peak *= peak_[c];
    return peak > most_peak_;
  }

  [[nodiscard]] std::vector<double> times_column(std::vector<double> function,
                                                 std::size_t c) const {
    for (std::size_t i = 0; i < n_; ++i) function[i] *= values_.data()[c * n_ + i];
    return function;
  }

  [[nodiscard]] double pair(std::size_t u, std::size_t v) const {
    return pair_[u + v * owner_.size()];
  }

  void keep_pair_promises() {
    if (on_device_) {
      pair_ = on_device_->keep_pairs(unit_);
      return;
    }
    pair_.assign(owner_.size() * owner_.size(), 0.0);
    for_each_pair(owner_.size(), unit_, [&](std::size_t u, std::size_t v, double product) {
      pair_[u + v * owner_.size()] = product;
    });
  }

  // Fixes `more` columns below `below` and scans the pairs below them.
  void descend(std::size_t below, int more, const std::vector<double>& weight,
               const std::vector<std::size_t>& high) {
    if (more == 0) return scan(below, weight, high);
    for (std::size_t c = 0; c < below; ++c) {
      const bool same = std::any_of(high.begin(), high.end(),
                                    [&](std::size_t h) { return owner_[h] == owner_[c]; });
      if (same) continue;
      std::vector<std::size_t> with = high;
      with.push_back(c);
      descend(c, more - 1, times_column(weight, c), with);
    }
  }

  std::size_t n_;
  double most_peak_;  // of a product's largest square
  std::size_t labels_;
  const std::vector<double>& unit_;
  std::vector<double> residual_;
  std::vector<std::size_t> owner_;  // feature of each column
  Buffer values_;
  std::vector<float> narrow_;            // the same in single precision
  std::unique_ptr<SignPromises> signs_;  // where counts suffice for pairs
  std::optional<DeviceScan> on_device_;
  std::vector<double> peak_;  // largest square of each column
  std::vector<double> single_;
  std::vector<double> pair_;  // [u + v * columns] for u < v
  tbb::enumerable_thread_specific<std::vector<double>> product_;
  BestSubsets best_;
};

}  // namespace

std::vector<std::vector<std::size_t>> promising_subsets(
    const SupervisedData& data, const std::vector<double>& residual,
    const std::vector<std::size_t>& features, int size, double least_rows, std::size_t limit,
    const DeviceColumns* device, Progress& progress) {
  Scan scan(data, residual, features, least_rows, limit, device);
  if (size == 2) {
    scan.pairs();
  } else {
    scan.larger(size, progress);
  }
  return scan.features();
}

double work_of_scan(const SupervisedData& data, const std::vector<double>& residual,
                    const std::vector<std::size_t>& features, int size) {
  const std::vector<std::size_t> columns = columns_of(data, features);
  if (counts_suffice(data, residual, columns)) return 0;
  double subsets = 1;
  for (int i = 0; i < size; ++i) {
    subsets *= std::max(0.0, static_cast<double>(columns.size()) - i) / (i + 1);
  }
  return subsets * static_cast<double>(residual.size() + data.rows());
}

}  // namespace fsieve::methods
