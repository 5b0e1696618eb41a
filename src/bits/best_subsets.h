// The best few of very many subsets, offered from many threads.
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <set>
#include <vector>

namespace fsieve::inline bits {

struct PromisingSubset {
  double promise = 0;
  std::vector<std::size_t> columns;

  bool operator<(const PromisingSubset& other) const {
    return promise != other.promise ? promise > other.promise : columns < other.columns;
  }
};

// What is kept does not depend on who offers what when.
class BestSubsets {
 public:
  explicit BestSubsets(std::size_t limit) : limit_(limit) {}

  // A promise below this changes nothing. Never falls.
  [[nodiscard]] double threshold() const { return threshold_.load(std::memory_order_relaxed); }

  void offer(PromisingSubset subset) {
    std::set<PromisingSubset>& list = lists_.local();
    list.insert(std::move(subset));
    if (list.size() <= limit_) return;
    list.erase(std::prev(list.end()));
    const double worst = list.rbegin()->promise;
    double known = threshold();
    while (worst > known && !threshold_.compare_exchange_weak(known, worst)) {
    }
  }

  // Best first.
  [[nodiscard]] std::vector<PromisingSubset> list() const {
    std::vector<PromisingSubset> all;
    for (const auto& list : lists_) all.insert(all.end(), list.begin(), list.end());
    std::sort(all.begin(), all.end());
    all.resize(std::min(all.size(), limit_));
    return all;
  }

 private:
  std::size_t limit_;
  std::atomic<double> threshold_{-std::numeric_limits<double>::infinity()};
  tbb::enumerable_thread_specific<std::set<PromisingSubset>> lists_;
};

}  // namespace fsieve::bits
