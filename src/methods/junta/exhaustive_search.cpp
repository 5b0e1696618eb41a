// Every subset of k features, tile by tile, with a state that can be saved and gone on from.
#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>

#include "base/limits.h"
#include "base/parallel.h"
#include "bits/lead_counts.h"
#include "bits/sign_counts.h"
#include "bits/tile_walk.h"
#include "device/open_screens.h"
#include "device/sift.h"
#include "fsieve/error.h"
#include "measure/ranking.h"
#include "methods/junta/junta_search.h"
#include "methods/junta/subset_score.h"

namespace fsieve::inline methods {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Counts of smaller subsets that must be at hand; beyond this the search would take years anyway.
constexpr double most_count_bytes = 4e9;

// Subsets have numbers of 64 bits, and their arithmetic needs some room. Nobody sees the end of
// this.
constexpr double most_subsets = 4e17;

// When to save: often, but never more than a twentieth of the time.
class SavingClock {
 public:
  [[nodiscard]] bool due() const {
    return seconds_since(last_) > std::clamp(20 * took_, shortest, longest);
  }
  template <class Save>
  void time(const Save& save) {
    const Clock::time_point start = Clock::now();
    save();
    took_ = seconds_since(start);
    last_ = Clock::now();
  }

 private:
  static constexpr double shortest = 0.1;
  static constexpr double longest = 30;
  Clock::time_point last_ = Clock::now();
  double took_ = 0;
};

class ExhaustiveSearch {
 public:
  ExhaustiveSearch(const JuntaTable& table, const JuntaScore& score, const SearchIdentity& search,
                   Checkpoint* checkpoint, const Device& device)
      : table_(table),
        score_(score),
        search_(search),
        checkpoint_(checkpoint),
        counts_(table.order, table.bits, table.size(), most_table_bytes),
        ranking_(table.size(), std::max<std::size_t>(search.top, 1), 0),
        screened_{table.order, table.bits, table.size(), search.k} {
    score_.describe(screened_);
    if (search.k > 1) screens_ = open_screens(device, screened_);
    if (score.goes_by_leads() &&
        LeadCounts::fits(table.order, table.size(), search.k, most_table_bytes)) {
      leads_.emplace(table.order, table.bits, table.size());
    }
  }

  // Only these are searched.
  void restrict_to(NumberRange subsets) {
    if (subsets.first > 0) state_.done.add({0, subsets.first});
    if (subsets.end < search_.subsets()) state_.done.add({subsets.end, search_.subsets()});
  }

  std::vector<ScoredSubset> run(Progress& progress) {
    go_on();
    SharedProgress shared(progress, "subsets", choose(table_.size(), search_.k));
    shared.add(state_.done.size());
    for (const NumberRange& gap : state_.done.gaps(search_.subsets())) {
      if (search_.k == 1) {
        score_singles(gap);
        shared.add(gap.size());
      } else if (!screens_.empty()) {
        sift_on_devices(gap, shared);
      } else {
        walk(gap, shared);
      }
    }
    if (checkpoint_ != nullptr) save();
    shared.end();
    return ranking_.best();
  }

 private:
  struct Scratch {
    JuntaScore::Prefix prefix;
    std::vector<std::uint32_t> found;
    std::vector<std::size_t> features;
  };

  // Takes over what the checkpoint has. Its scores are computed again: a list that is not that of
  // these data must not decide anything.
  void go_on() {
    const std::string saved = checkpoint_ != nullptr ? checkpoint_->load() : "";
    if (saved.empty()) return;
    state_ = state_from_text(saved, search_, checkpoint_->name());
    in_parallel(state_.best.size(), [&](std::size_t i) {
      const std::vector<std::size_t>& features = state_.best[i].features;
      ranking_.offer(score_of_subset(table_, score_, features), features);
    });
    const std::vector<ScoredSubset> again = ranking_.best();
    for (std::size_t i = 0; i < again.size(); ++i) {
      if (again[i].score == state_.best[i].score && again[i].features == state_.best[i].features) {
        continue;
      }
      damaged_checkpoint(checkpoint_->name(), "its scores are not those of the data");
    }
  }

  void score_singles(NumberRange gap) {
    Scratch& s = scratch_.local();
    s.prefix.set(score_, counts_.singles(), {}, 0);
    for (std::size_t c = gap.first; c < gap.end; ++c) ranking_.offer(s.prefix.exact(c), {&c, 1});
    state_.done.add(gap);
  }

  // By leads where these are enough. What is left at both ends is counted by class.
  void walk(NumberRange gap, SharedProgress& progress) {
    if (!leads_) return walk_tiles(gap, progress);
    leads_->prepare(search_.k);
    BundleWalk bundles(table_.size(), search_.k, leads_->width(), gap);
    walk_tiles(bundles.before(), progress);
    in_batches(bundles, bundles.before().end, [&](const SubsetBundle& bundle) {
      rank(bundle);
      progress.add(bundle.numbers.size());
    });
    walk_tiles({bundles.position(), gap.end}, progress);
  }

  void walk_tiles(NumberRange gap, SharedProgress& progress) {
    if (gap.size() == 0) return;
    counts_.prepare(static_cast<int>(search_.k));
    TileWalk tiles(table_.size(), static_cast<int>(search_.k), SignCounts::tile_height,
                   SignCounts::tile_width, gap);
    in_batches(tiles, gap.first, [&](const TileWalk::Tile& next) {
      const SubsetTile tile = next.view();
      counts_.visit(tile, [&](SignCounts::CountedTile& counted) { rank(counted); });
      progress.add(tile.count());
    });
  }

  // Each batch is done on all cores; what is saved is the state between two of them.
  template <class Walk, class Visit>
  void in_batches(Walk& walk, std::uint64_t first, const Visit& visit) {
    for (;;) {
      const auto batch = walk.next(budget_);
      if (batch.empty()) return;
      const Clock::time_point start = Clock::now();
      in_parallel(batch.size(), [&](std::size_t t) { visit(batch[t]); });
      state_.done.add({first, walk.position()});
      // About a tenth of a second per batch: a barrier costs nothing, and a kill little work.
      const double took = std::max(seconds_since(start), 1e-4);
      budget_ = static_cast<std::size_t>(
          std::clamp(static_cast<double>(budget_) * std::clamp(0.1 / took, 0.5, 2.0), 1e4, 1e12));
      save_if_due();
    }
  }

  // The same with devices that say which subsets are worth a look.
  void sift_on_devices(NumberRange gap, SharedProgress& progress) {
    const double bar = score_of_a_quick_list();
    const Sifter host{
        [&] { return score_.sum_to_reach(std::max(ranking_.threshold(), bar), search_.k); },
        [&](std::span<const std::size_t> subset) {
          ranking_.offer(score_of_subset(table_, score_, subset), subset);
        },
        [&](NumberRange range) { walk(range, progress); },
        [&](NumberRange range) {
          state_.done.add(range);
          progress.add(range.size());
          save_if_due();
        },
        [&] {
          std::vector<std::vector<std::size_t>> subsets;
          for (ScoredSubset& best : ranking_.best()) {
            if (best.score >= bar) subsets.push_back(std::move(best.features));
          }
          return subsets;
        }};
    sift(screens_, screened_, gap, host);
  }

  // The worst of as many subsets as are kept, found by a narrow beam: no subset below it is kept,
  // and a device need not name those before the search itself has found as good a list.
  [[nodiscard]] double score_of_a_quick_list() const {
    constexpr std::size_t width = 20;
    NoProgress quiet;
    const std::size_t kept = std::max<std::size_t>(search_.top, 1);
    const JuntaRanking found =
        search_by_steps(table_, score_, search_.k, std::min(kept, width), kept, quiet);
    if (found.best.size() < kept) return -std::numeric_limits<double>::infinity();
    return found.best.back().score;
  }

  void save_if_due() {
    if (checkpoint_ != nullptr && clock_.due()) clock_.time([&] { save(); });
  }

  void save() {
    state_.best = ranking_.best();
    checkpoint_->save(to_text(state_, search_));
  }

  void rank(const SubsetBundle& bundle) {
    leads_->name_promising(
        bundle, [&] { return score_.leads_to_reach(ranking_.threshold()); },
        [&](std::span<const std::size_t> subset) {
          ranking_.offer(score_of_subset(table_, score_, subset), subset);
        });
  }

  void rank(SignCounts::CountedTile& counted) {
    const SubsetTile& tile = counted.subsets();
    Scratch& s = scratch_.local();
    s.found.resize(tile.c1 - tile.c0);
    s.features.resize(tile.outer.size() + 2);
    std::copy(tile.outer.begin(), tile.outer.end(), s.features.begin() + 2);
    for (std::size_t b = tile.b0; b < tile.b1; ++b) {
      if (tile.last_c(b) <= tile.c0) continue;
      s.features[1] = b;
      const std::span<const std::size_t> prefix(s.features.data() + 1, s.features.size() - 1);
      s.prefix.set(score_, counted.with_prefix(b), prefix, tile.c0);
      const std::size_t found = s.prefix.promising(ranking_.threshold(), s.found.data());
      for (std::size_t f = 0; f < found; ++f) {
        s.features[0] = tile.c0 + s.found[f];
        ranking_.offer(s.prefix.exact(s.found[f]), s.features);
      }
    }
  }

  const JuntaTable& table_;
  const JuntaScore& score_;
  const SearchIdentity& search_;
  Checkpoint* checkpoint_;
  SignCounts counts_;
  std::optional<LeadCounts> leads_;
  Ranking ranking_;
  ScreenTable screened_;
  std::vector<std::unique_ptr<Screen>> screens_;
  SearchState state_;
  SavingClock clock_;
  std::size_t budget_ = std::size_t{1} << 18U;  // subsets of the next batch
  tbb::enumerable_thread_specific<Scratch> scratch_;
};

}  // namespace

void check_countable(const JuntaTable& table, std::size_t k) {
  double counts = 0;
  for (std::size_t smaller = 1; smaller + 2 <= k; ++smaller) {
    counts += choose(table.size(), smaller);
  }
  if (counts * 2 * sizeof(std::uint32_t) <= most_count_bytes &&
      choose(table.size(), k) <= most_subsets) {
    return;
  }
  throw Error(
      fmt::format("all subsets of {} of {} features are too many to count: take a smaller k, "
                  "fewer columns, or "
                  "--search beam:W",
                  k, table.size()));
}

JuntaRanking search_exhaustively(const JuntaTable& table, const JuntaScore& score,
                                 const SearchIdentity& search, NumberRange subsets,
                                 Progress& progress) {
  ExhaustiveSearch restricted(table, score, search, nullptr, {Device::Kind::cpu, std::nullopt});
  restricted.restrict_to(subsets);
  return {restricted.run(progress), subsets.size()};
}

JuntaRanking search_exhaustively(const JuntaTable& table, const JuntaScore& score,
                                 const SearchIdentity& search, Checkpoint* checkpoint,
                                 const Device& device, Progress& progress) {
  check_countable(table, search.k);
  return {ExhaustiveSearch(table, score, search, checkpoint, device).run(progress),
          search.subsets()};
}

}  // namespace fsieve::methods
