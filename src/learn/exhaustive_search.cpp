// Every subset of k features, tile by tile, with a state that can be saved and gone on from.
#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "fsieve/error.h"
#include "fsieve/version.h"
#include "learn/junta_search.h"
#include "score/ranking.h"
#include "score/scorer.h"
#include "score/sign_counts.h"
#include "score/tile_walk.h"

namespace fsieve {
namespace {

using json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Between two savings the search is done with all tiles before a position of the walk.
struct SavedState {
  TilePosition next;
  std::uint64_t done = 0;  // subsets
  std::vector<ScoredSubset> best;
};

constexpr int checkpoint_schema = 1;

// Counts of smaller subsets that must be at hand; beyond this the search would take years anyway.
constexpr double most_count_bytes = 4e9;

std::string to_text(const SavedState& state, const std::string& run) {
  json best = json::array();
  for (const ScoredSubset& subset : state.best) {
    best.push_back({{"features", subset.features}, {"score", subset.score}});
  }
  const json object{{"fsieve", version()},       {"schema", checkpoint_schema},
                    {"kind", "checkpoint"},      {"run", run},
                    {"outer", state.next.outer}, {"corner", state.next.corner},
                    {"done", state.done},        {"best", std::move(best)}};
  return object.dump(1) + "\n";
}

SavedState from_text(const std::string& text, const std::string& run, const std::string& name) {
  json object;
  SavedState state;
  try {
    object = json::parse(text);
    if (object.at("kind") != "checkpoint") throw Error("");
    if (object.at("schema") == checkpoint_schema && object.at("run") == run) {
      state.next.outer = object.at("outer").get<std::size_t>();
      state.next.corner = object.at("corner").get<std::size_t>();
      state.done = object.at("done").get<std::uint64_t>();
      for (const json& entry : object.at("best")) {
        state.best.push_back({entry.at("features").get<std::vector<std::size_t>>(),
                              entry.at("score").get<double>()});
      }
      return state;
    }
  } catch (const std::exception&) {
    throw Error(fmt::format(
        "checkpoint {} is not a checkpoint of fsieve learn, or is damaged; name another file",
        name));
  }
  throw Error(
      fmt::format("checkpoint {} is of a run with other data, other options or another version of "
                  "fsieve; remove it or name another file",
                  name));
}

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
  ExhaustiveSearch(const JuntaTable& table, const JuntaScore& score, std::size_t k, std::size_t top)
      : table_(table),
        score_(score),
        k_(k),
        counts_(table.order, table.bits, table.size(), most_table_bytes),
        ranking_(table.size(), std::max<std::size_t>(top, 1), 0) {}

  std::vector<ScoredSubset> run(Checkpoint* checkpoint, const std::string& run,
                                Progress& progress) {
    SavedState state;
    if (checkpoint != nullptr) {
      const std::string saved = checkpoint->load();
      if (!saved.empty()) state = from_text(saved, run, checkpoint->name());
      for (const ScoredSubset& subset : state.best) ranking_.offer(subset.score, subset.features);
    }
    SharedProgress shared(progress, "subsets", choose(table_.size(), k_));
    shared.add(state.done);
    if (k_ == 1) {
      singles();
      shared.add(table_.size());
    } else {
      counts_.prepare(static_cast<int>(k_));
      walk(state, checkpoint, run, shared);
    }
    shared.end();
    return ranking_.best();
  }

 private:
  struct Scratch {
    JuntaScore::Prefix prefix;
    std::vector<std::uint32_t> found;
    std::vector<std::size_t> features;
  };

  void singles() {
    Scratch& s = scratch_.local();
    s.prefix.set(score_, counts_.singles(), {}, 0);
    for (std::size_t c = 0; c < table_.size(); ++c) ranking_.offer(s.prefix.exact(c), {&c, 1});
  }

  // Batches of tiles, each done on all cores; what is saved is the state between two of them.
  void walk(SavedState& state, Checkpoint* checkpoint, const std::string& run,
            SharedProgress& progress) {
    TileWalk tiles(table_.size(), static_cast<int>(k_), SignCounts::tile_height,
                   SignCounts::tile_width, state.next);
    SavingClock clock;
    std::size_t budget = std::size_t{1} << 18U;
    for (;;) {
      const std::vector<TileWalk::Tile> batch = tiles.next(budget);
      if (batch.empty()) break;
      const Clock::time_point start = Clock::now();
      tbb::parallel_for(std::size_t{0}, batch.size(), [&](std::size_t t) {
        const SubsetTile tile = batch[t].view();
        counts_.visit(tile, [&](SignCounts::CountedTile& counted) { rank(counted); });
        progress.add(tile.count());
      });
      for (const TileWalk::Tile& tile : batch) state.done += tile.view().count();
      state.next = tiles.position();
      // About a tenth of a second per batch: a barrier costs nothing, and a kill little work.
      const double took = std::max(seconds_since(start), 1e-4);
      budget = static_cast<std::size_t>(
          std::clamp(static_cast<double>(budget) * std::clamp(0.1 / took, 0.5, 2.0), 1e4, 1e12));
      if (checkpoint == nullptr || !clock.due()) continue;
      clock.time([&] { save(state, *checkpoint, run); });
    }
    if (checkpoint != nullptr) save(state, *checkpoint, run);
  }

  void save(SavedState& state, Checkpoint& checkpoint, const std::string& run) const {
    state.best = ranking_.best();
    checkpoint.save(to_text(state, run));
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
  std::size_t k_;
  SignCounts counts_;
  Ranking ranking_;
  tbb::enumerable_thread_specific<Scratch> scratch_;
};

}  // namespace

JuntaRanking search_exhaustively(const JuntaTable& table, const JuntaScore& score, std::size_t k,
                                 std::size_t top, Checkpoint* checkpoint, const std::string& run,
                                 Progress& progress) {
  double counts = 0;
  for (std::size_t smaller = 1; smaller + 2 <= k; ++smaller)
    counts += choose(table.size(), smaller);
  if (counts * 2 * sizeof(std::uint32_t) > most_count_bytes) {
    throw Error(
        fmt::format("all subsets of {} of {} features are too many to count: take a smaller k, "
                    "fewer columns, or "
                    "--search beam:W",
                    k, table.size()));
  }
  ExhaustiveSearch search(table, score, k, top);
  return {search.run(checkpoint, run, progress), choose_exactly(table.size(), k)};
}

}  // namespace fsieve
