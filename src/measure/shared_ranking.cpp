#include "measure/shared_ranking.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "base/binary_lists.h"

namespace fsieve::inline measure {
namespace {

// A piece of work is a few seconds of one core: a machine that is lost loses little, and asking
// costs nothing beside it.
constexpr double words_per_piece = 4e9;
constexpr double most_pieces = 4096;
// Some tenths of a second of one core.
constexpr double least_words = 1 << 28U;
// Numbers of subsets, as sums of binomial coefficients, stay exact.
constexpr double most_subsets = 1e15;

std::string range_text(NumberRange range) {
  std::ostringstream out;
  save_value(out, range.first);
  save_value(out, range.end);
  return out.str();
}

std::vector<std::string> pieces_of(const SubsetWork& work) {
  const auto subsets = static_cast<std::uint64_t>(work.subsets);
  const double wanted = std::clamp(work.subsets * work.words / words_per_piece, 2.0, most_pieces);
  const auto count = static_cast<std::uint64_t>(std::min(wanted, std::max(work.subsets, 1.0)));
  const auto start = [&](std::uint64_t p) {
    return subsets / count * p + subsets % count * p / count;
  };
  std::vector<std::string> pieces;
  for (std::uint64_t p = 0; p < count; ++p) pieces.push_back(range_text({start(p), start(p + 1)}));
  return pieces;
}

void offer_best(const std::string& text, Ranking& ranking) {
  std::istringstream in(text);
  load_each(in, [&] {
    double score = 0;
    load_value(in, score);
    std::vector<std::uint64_t> features;
    load_list(in, features);
    ranking.offer(score, std::vector<std::size_t>(features.begin(), features.end()));
  });
}

}  // namespace

bool SubsetWork::worth_sharing() const {
  return subsets <= most_subsets && subsets * words >= least_words;
}

void rank_on_machines(const Machines& machines, const std::string& common, const SubsetWork& work,
                      Ranking& ranking, Progress& progress) {
  for (const std::string& best : machines.share_out(common, pieces_of(work), "subsets", progress)) {
    offer_best(best, ranking);
  }
}

NumberRange range_of(const std::string& piece) {
  std::istringstream in(piece);
  NumberRange range;
  load_value(in, range.first);
  load_value(in, range.end);
  return range;
}

std::string best_text(const std::vector<ScoredSubset>& best) {
  std::ostringstream out;
  save_count(out, best.size());
  for (const ScoredSubset& subset : best) {
    save_value(out, subset.score);
    save_count(out, subset.features.size());
    for (const std::size_t j : subset.features) save_value(out, static_cast<std::uint64_t>(j));
  }
  return out.str();
}

std::string best_text(const Ranking& ranking) {
  std::vector<ScoredSubset> all = ranking.best();
  std::set<std::vector<std::size_t>> known;  // a subset is offered once
  for (const ScoredSubset& subset : all) known.insert(subset.features);
  for (const UnitedFeature& feature : ranking.united()) {
    if (known.insert(feature.subset).second) all.push_back({feature.subset, feature.score});
  }
  return best_text(all);
}

}  // namespace fsieve::measure
