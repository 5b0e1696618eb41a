// The ranking of subsets, of which only what is asked for is kept: the best few, and the best
// subset of every feature, which is all that a union needs (a feature comes in with the first
// subset of the ranking that has it).
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "basis/parity.h"
#include "fsieve/measure.h"

namespace fsieve::inline measure {

// A subset in a ranking: by score rounded to 12 decimals, then by its features.
struct RankEntry {
  double score = -std::numeric_limits<double>::infinity();
  std::array<std::uint32_t, max_depth> features{};
  std::uint32_t size = 0;

  [[nodiscard]] bool before(const RankEntry& other) const;
  [[nodiscard]] ScoredSubset listed() const;
};

struct UnitedFeature {
  std::size_t feature = 0;
  double score = 0;                      // of the subset that brought it in
  std::vector<std::size_t> subset = {};  // this one
};

// Subsets may be offered from many threads; what is kept does not depend on who offers what.
class Ranking {
 public:
  // Keeps the best `top` subsets and what the first `united` features of the union need.
  Ranking(std::size_t features, std::size_t top, std::size_t united);

  [[nodiscard]] std::size_t top() const { return top_; }
  [[nodiscard]] std::size_t in_union() const { return united_; }

  // A subset below this score changes nothing. Never falls.
  [[nodiscard]] double threshold() const {
    const double top = top_threshold_.load(std::memory_order_relaxed);
    const double united = united_threshold_.load(std::memory_order_relaxed);
    return top < united ? top : united;
  }

  // `features`: ascending.
  void offer(double score, std::span<const std::size_t> features);

  // The best subsets, best first.
  [[nodiscard]] std::vector<ScoredSubset> best() const;

  // The union of the best subsets in their order, each in the order of its features.
  [[nodiscard]] std::vector<UnitedFeature> united() const;

 private:
  struct Local {
    std::vector<RankEntry> heap;  // the worst of the best is in front
    std::vector<RankEntry> of_feature;
    std::vector<double> scores;  // scratch
    std::size_t changes = 0;
  };

  void offer_top(Local& local, const RankEntry& subset);
  void offer_union(Local& local, const RankEntry& subset);

  std::size_t features_;
  std::size_t top_;
  std::size_t united_;
  std::size_t changes_between_thresholds_;  // which take a look at all features
  std::atomic<double> top_threshold_;
  std::atomic<double> united_threshold_;
  tbb::enumerable_thread_specific<Local> locals_;
};

}  // namespace fsieve::measure
