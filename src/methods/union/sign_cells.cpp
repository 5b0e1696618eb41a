#include "methods/union/sign_cells.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>

#include "base/limits.h"
#include "base/parallel.h"
#include "bits/lead_counts.h"
#include "bits/promising.h"
#include "bits/sign_counts.h"
#include "bits/subset_counts.h"
#include "bits/tile_walk.h"
#include "device/least_sum.h"
#include "device/open_screens.h"
#include "device/sift.h"
#include "measure/cell_table.h"

namespace fsieve::inline methods {
namespace {

// Thresholds in the units of find_promising. Scores are at most about 1, so this fits.
std::int32_t least_sum(double threshold, std::size_t rows) {
  const double least = std::floor(threshold * (static_cast<double>(rows) - 1) - 1e-3);
  return static_cast<std::int32_t>(std::clamp(least, -1.0, 2147483647.0));
}

struct Scratch {
  std::vector<std::uint32_t> found;
  std::vector<std::int64_t> cells;
  std::vector<std::size_t> features;
};

// The exact score, from the whole table of one subset.
double score(const PrefixCounts& counts, std::size_t c, std::size_t rows,
             std::vector<std::int64_t>& cells) {
  make_cells(counts, c, cells);
  const std::size_t width = std::size_t{2} << counts.bits;
  CellSum sum(counts.classes, rows);
  for (std::size_t s = 0; s < width; ++s) sum.add(cells.data() + s, width);
  return sum.score();
}

class SignRanking {
 public:
  SignRanking(const ClassSegments& order, const BitStore& bits,
              const std::vector<std::size_t>& features, int size, double table_bytes,
              Ranking& ranking, SharedProgress& progress)
      : order_(order),
        bits_(bits),
        features_(features),
        size_(size),
        rows_(std::accumulate(order.rows.begin(), order.rows.end(), std::size_t{0})),
        all_(order, bits, features.size(), table_bytes),
        ranking_(ranking),
        progress_(progress) {
    if (order.classes() == 2 &&
        LeadCounts::fits(order, features.size(), static_cast<std::size_t>(size), table_bytes)) {
      leads_.emplace(order, bits, features.size());
    }
  }

  void rank_all() {
    if (leads_) return walk({0, choose_exactly(features_.size(), static_cast<std::size_t>(size_))});
    all_.for_each_tile(size_, progress_, [&](SignCounts::CountedTile& tile) { rank(tile); });
  }

  void rank_on(const std::vector<std::unique_ptr<Screen>>& screens, const ScreenTable& table) {
    const auto k = static_cast<std::size_t>(size_);
    const auto rows = static_cast<double>(rows_);
    const Sifter host{[&] {
                        const double threshold = ranking_.threshold();
                        if (std::isinf(threshold)) return -std::numeric_limits<float>::infinity();
                        return least_sum_of_leads(threshold * (rows - 1), k, rows);
                      },
                      [&](std::span<const std::size_t> subset) { rank_one(subset); },
                      [&](NumberRange range) { walk(range); },
                      [&](NumberRange range) { progress_.add(range.size()); },
                      [&] { return best_subsets(); }};
    sift(screens, table, {0, choose_exactly(features_.size(), k)}, host);
  }

  // By leads where these are enough. What is left at both ends is counted by class.
  void walk(NumberRange range) {
    if (!leads_) return walk_tiles(range);
    const auto size = static_cast<std::size_t>(size_);
    leads_->prepare(size);
    BundleWalk bundles(features_.size(), size, leads_->width(), range);
    walk_tiles(bundles.before());
    in_batches(bundles, [&](const SubsetBundle& bundle) {
      rank(bundle);
      progress_.add(bundle.numbers.size());
    });
    walk_tiles({bundles.position(), range.end});
  }

 private:
  void walk_tiles(NumberRange range) {
    if (range.size() == 0) return;
    all_.prepare(size_);
    TileWalk tiles(features_.size(), size_, SignCounts::tile_height, SignCounts::tile_width, range);
    in_batches(tiles, [&](const TileWalk::Tile& next) {
      const SubsetTile tile = next.view();
      all_.visit(tile, [&](SignCounts::CountedTile& counted) { rank(counted); });
      progress_.add(tile.count());
    });
  }

  template <class Walk, class Visit>
  static void in_batches(Walk& walk, const Visit& visit) {
    constexpr std::size_t batch_size = std::size_t{1} << 20U;
    for (auto batch = walk.next(batch_size); !batch.empty(); batch = walk.next(batch_size)) {
      in_parallel(batch.size(), [&](std::size_t t) { visit(batch[t]); });
    }
  }

  void rank(const SubsetBundle& bundle) {
    leads_->name_promising(
        bundle, [&] { return least_sum(ranking_.threshold(), rows_); },
        [&](std::span<const std::size_t> subset) { rank_one(subset); });
  }

  void rank(SignCounts::CountedTile& counted) {
    const SubsetTile& tile = counted.subsets();
    Scratch& s = scratch_.local();
    s.found.resize(tile.c1 - tile.c0);
    s.features.resize(tile.outer.size() + 2);
    for (std::size_t k = 0; k < tile.outer.size(); ++k)
      s.features[k + 2] = features_[tile.outer[k]];
    for (std::size_t b = tile.b0; b < tile.b1; ++b) {
      const PrefixCounts counts = counted.with_prefix(b);
      const std::size_t found =
          find_promising(counts, least_sum(ranking_.threshold(), rows_), s.found.data());
      s.features[1] = features_[b];
      for (std::size_t f = 0; f < found; ++f) {
        s.features[0] = features_[tile.c0 + s.found[f]];
        ranking_.offer(score(counts, s.found[f], rows_, s.cells), s.features);
      }
    }
  }

  void rank_one(std::span<const std::size_t> subset) {
    Scratch& s = scratch_.local();
    s.features.clear();
    for (const std::size_t j : subset) s.features.push_back(features_[j]);
    const SubsetCounts counts(order_, bits_, subset);
    ranking_.offer(score(counts.view(), 0, rows_, s.cells), s.features);
  }

  // Of the ranking, those of our features alone, in our numbers.
  [[nodiscard]] std::vector<std::vector<std::size_t>> best_subsets() const {
    std::vector<std::vector<std::size_t>> subsets;
    for (const ScoredSubset& best : ranking_.best()) {
      std::vector<std::size_t> subset;
      for (const std::size_t feature : best.features) {
        const auto place = std::lower_bound(features_.begin(), features_.end(), feature);
        if (place == features_.end() || *place != feature) break;
        subset.push_back(static_cast<std::size_t>(place - features_.begin()));
      }
      if (subset.size() == static_cast<std::size_t>(size_)) subsets.push_back(std::move(subset));
    }
    return subsets;
  }

  const ClassSegments& order_;
  const BitStore& bits_;
  const std::vector<std::size_t>& features_;
  int size_;
  std::size_t rows_;
  SignCounts all_;
  std::optional<LeadCounts> leads_;
  Ranking& ranking_;
  SharedProgress& progress_;
  tbb::enumerable_thread_specific<Scratch> scratch_;
};

}  // namespace

void rank_sign_subsets(const ClassSegments& order, const BitStore& bits,
                       const std::vector<std::size_t>& features, int size, double table_bytes,
                       const Device& device, Ranking& ranking, SharedProgress& progress) {
  SignRanking subsets(order, bits, features, size, table_bytes, ranking, progress);
  if (order.classes() == 2) {
    const ScreenTable table{order, bits, features.size(), static_cast<std::size_t>(size)};
    const auto screens = open_screens(device, table);
    if (!screens.empty()) return subsets.rank_on(screens, table);
  }
  subsets.rank_all();
}

void rank_sign_range(const ClassSegments& order, const BitStore& bits,
                     const std::vector<std::size_t>& features, int size, NumberRange range,
                     Ranking& ranking, SharedProgress& progress) {
  SignRanking(order, bits, features, size, most_table_bytes, ranking, progress).walk(range);
}

}  // namespace fsieve::methods
