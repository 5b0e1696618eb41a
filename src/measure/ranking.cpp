#include "measure/ranking.h"

#include <algorithm>
#include <cmath>

namespace fsieve::inline measure {
namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();
constexpr double everything = std::numeric_limits<double>::infinity();

double rounded(double score) {
  constexpr double decimals = 1e12;
  return std::nearbyint(score * decimals) / decimals + 0.0;  // no −0
}

void raise(std::atomic<double>& threshold, double value) {
  double old = threshold.load(std::memory_order_relaxed);
  while (old < value && !threshold.compare_exchange_weak(old, value, std::memory_order_relaxed)) {
  }
}

constexpr auto by_rank = [](const RankEntry& a, const RankEntry& b) { return a.before(b); };

}  // namespace

bool RankEntry::before(const RankEntry& other) const {
  if (score != other.score) return score > other.score;
  return std::lexicographical_compare(features.begin(), features.begin() + size,
                                      other.features.begin(), other.features.begin() + other.size);
}

ScoredSubset RankEntry::listed() const {
  return {{features.begin(), features.begin() + size}, score};
}

Ranking::Ranking(std::size_t features, std::size_t top, std::size_t united)
    : features_(features),
      top_(top),
      united_(std::min(united, features)),
      changes_between_thresholds_(std::clamp<std::size_t>(features / 16, 1, 64)),
      top_threshold_(top == 0 ? everything : nothing),
      united_threshold_(united == 0 ? everything : nothing) {}

void Ranking::offer(double score, std::span<const std::size_t> features) {
  RankEntry subset;
  subset.score = rounded(score);
  if (subset.score < threshold()) return;
  subset.size = static_cast<std::uint32_t>(features.size());
  std::copy(features.begin(), features.end(), subset.features.begin());
  Local& local = locals_.local();
  if (top_ > 0) offer_top(local, subset);
  if (united_ > 0) offer_union(local, subset);
}

void Ranking::offer_top(Local& local, const RankEntry& subset) {
  std::vector<RankEntry>& heap = local.heap;
  if (heap.size() == top_) {
    if (!subset.before(heap.front())) return;
    std::pop_heap(heap.begin(), heap.end(), by_rank);
    heap.back() = subset;
  } else {
    heap.push_back(subset);
  }
  std::push_heap(heap.begin(), heap.end(), by_rank);
  if (heap.size() == top_) raise(top_threshold_, heap.front().score);
}

// Once `united` features have a subset of some score, a lower one brings nothing in.
void Ranking::offer_union(Local& local, const RankEntry& subset) {
  if (local.of_feature.empty()) local.of_feature.resize(features_);
  bool changed = false;
  for (std::size_t k = 0; k < subset.size; ++k) {
    RankEntry& best = local.of_feature[subset.features[k]];
    if (!subset.before(best)) continue;
    best = subset;
    changed = true;
  }
  if (!changed || ++local.changes % changes_between_thresholds_ != 0) return;
  local.scores.clear();
  for (const RankEntry& best : local.of_feature) local.scores.push_back(best.score);
  const auto last = local.scores.begin() + static_cast<std::ptrdiff_t>(united_ - 1);
  std::nth_element(local.scores.begin(), last, local.scores.end(), std::greater<>());
  raise(united_threshold_, *last);
}

std::vector<ScoredSubset> Ranking::best() const {
  std::vector<RankEntry> all;
  for (const Local& local : locals_) all.insert(all.end(), local.heap.begin(), local.heap.end());
  std::sort(all.begin(), all.end(), by_rank);
  std::vector<ScoredSubset> result;
  for (std::size_t k = 0; k < std::min(top_, all.size()); ++k) result.push_back(all[k].listed());
  return result;
}

std::vector<UnitedFeature> Ranking::united() const {
  std::vector<RankEntry> best(features_);
  for (const Local& local : locals_) {
    for (std::size_t j = 0; j < local.of_feature.size(); ++j) {
      if (local.of_feature[j].before(best[j])) best[j] = local.of_feature[j];
    }
  }
  std::vector<std::size_t> order;
  for (std::size_t j = 0; j < features_; ++j) {
    if (best[j].size > 0) order.push_back(j);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return best[a].before(best[b]); });
  std::vector<UnitedFeature> result;
  for (std::size_t k = 0; k < std::min(united_, order.size()); ++k) {
    const RankEntry& entry = best[order[k]];
    result.push_back({order[k], entry.score, entry.listed().features});
  }
  return result;
}

}  // namespace fsieve::measure
