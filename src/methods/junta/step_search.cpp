// Greedy and beam search: the counts of a subset with every other feature, one step at a time.

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include "base/parallel.h"
#include "bits/and_count.h"
#include "measure/ranking.h"
#include "methods/junta/junta_search.h"

namespace fsieve::inline methods {
namespace {

using Subset = std::vector<std::size_t>;

// Scores of `prefix` joined to every feature; those of the prefix's own features mean nothing.
std::vector<double> score_with_all(const JuntaTable& table, const JuntaScore& score,
                                   const Subset& prefix) {
  const ClassSegments& order = table.order;
  const std::size_t masks = std::size_t{1} << prefix.size();
  BitStore together(masks, order.words);
  std::vector<const std::uint64_t*> rows;
  std::vector<std::uint32_t> without(2 * masks);
  for (std::size_t mask = 0; mask < masks; ++mask) {
    std::uint64_t* column = together.column(mask);
    if (mask == 0) {
      std::fill_n(column, order.words, ~std::uint64_t{0});
    } else {
      const auto top = static_cast<std::size_t>(std::bit_width(mask) - 1);
      and_words(together.column(mask ^ (std::size_t{1} << top)), table.bits.column(prefix[top]),
                order.words, column);
    }
    rows.push_back(column);
    Subset subset;
    for (std::size_t k = 0; k < prefix.size(); ++k) {
      if ((mask >> k & 1U) != 0) subset.push_back(prefix[k]);
    }
    for (std::size_t k = 0; k < 2; ++k) {
      without[k * masks + mask] = static_cast<std::uint32_t>(table.count(k, subset));
    }
  }
  std::vector<const std::uint64_t*> columns;
  for (std::size_t j = 0; j < table.size(); ++j) columns.push_back(table.bits.column(j));
  BlockCounts counts;
  counts.resize(2, masks, columns.size());
  counts.add(order, rows, nullptr, columns);
  std::vector<const std::uint32_t*> with;
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t mask = 0; mask < masks; ++mask) with.push_back(counts.row(k, mask));
  }
  JuntaScore::Prefix scored;
  scored.set(score, {static_cast<int>(prefix.size()), 2, with.data(), without.data(), table.size()},
             prefix, 0);
  std::vector<double> scores(table.size());
  for (std::size_t c = 0; c < table.size(); ++c) scores[c] = scored.exact(c);
  return scores;
}

// By what subsets are without one feature: where they stand, and this feature.
struct Ending {
  std::size_t state;
  std::size_t feature;
};
using Beginnings = std::map<Subset, std::vector<Ending>>;

Subset without_place(Subset subset, std::size_t place) {
  subset.erase(subset.begin() + static_cast<std::ptrdiff_t>(place));
  return subset;
}

Beginnings beginnings_of(const std::vector<Subset>& states) {
  Beginnings all;
  for (std::size_t s = 0; s < states.size(); ++s) {
    for (std::size_t k = 0; k < states[s].size(); ++k) {
      all[without_place(states[s], k)].push_back({s, states[s][k]});
    }
  }
  return all;
}

// Features that bring a state nothing new: its own, and those with which it becomes what a state
// before it becomes too.
std::vector<bool> nothing_new(const std::vector<Subset>& states, const Beginnings& beginnings,
                              std::size_t s, std::size_t features) {
  std::vector<bool> old(features);
  for (std::size_t k = 0; k < states[s].size(); ++k) {
    old[states[s][k]] = true;
    for (const Ending& ending : beginnings.at(without_place(states[s], k))) {
      if (ending.state < s) old[ending.feature] = true;
    }
  }
  return old;
}

}  // namespace

JuntaRanking search_by_steps(const JuntaTable& table, const JuntaScore& score, std::size_t k,
                             std::size_t width, std::size_t top, Progress& progress) {
  const std::size_t d = table.size();
  JuntaRanking result;
  std::vector<Subset> states{{}};
  progress.begin("steps", k);
  for (std::size_t step = 1; step <= k; ++step) {
    Ranking ranking(d, step < k ? width : std::max<std::size_t>(top, 1), 0);
    const Beginnings beginnings = beginnings_of(states);
    std::vector<std::size_t> scored(states.size());
    in_parallel(states.size(), [&](std::size_t s) {
      const std::vector<double> scores = score_with_all(table, score, states[s]);
      const std::vector<bool> old = nothing_new(states, beginnings, s, d);
      Subset subset;
      for (std::size_t c = 0; c < d; ++c) {
        if (old[c]) continue;
        subset = states[s];
        subset.insert(std::upper_bound(subset.begin(), subset.end(), c), c);
        ranking.offer(scores[c], subset);
        ++scored[s];
      }
    });
    result.scored += std::accumulate(scored.begin(), scored.end(), std::size_t{0});
    result.best = ranking.best();
    states.clear();
    for (const ScoredSubset& subset : result.best) states.push_back(subset.features);
    progress.advance(step);
  }
  progress.end();
  return result;
}

}  // namespace fsieve::methods
