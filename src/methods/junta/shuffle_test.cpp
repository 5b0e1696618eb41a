#include "methods/junta/shuffle_test.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/random_numbers.h"

namespace fsieve::inline methods {
namespace {

constexpr std::uint32_t purpose = 0x5a3b21;

// The bits of all rows, one class after the other.
std::vector<std::size_t> places_of(const ClassSegments& order) {
  std::vector<std::size_t> places;
  for (std::size_t c = 0; c < order.classes(); ++c) {
    for (std::size_t i = 0; i < order.rows[c]; ++i) {
      places.push_back(order.segments[c].first * 64 + i);
    }
  }
  return places;
}

void shuffle(std::vector<std::size_t>& places, RandomChoices& random) {
  for (std::size_t i = places.size(); i > 1; --i) {
    std::swap(places[i - 1], places[random.below(i)]);
  }
}

// The same rows, the one of bit from[i] where the one of to[i] was: so it has that one's label.
JuntaTable moved(const JuntaTable& table, const std::vector<std::size_t>& from,
                 const std::vector<std::size_t>& to) {
  BitStore bits(table.size(), table.order.words);
  in_parallel(table.size(), [&](std::size_t j) {
    const std::uint64_t* old = table.bits.column(j);
    std::uint64_t* column = bits.column(j);
    for (std::size_t i = 0; i < to.size(); ++i) {
      column[to[i] / 64] |= (old[from[i] / 64] >> (from[i] % 64) & 1U) << (to[i] % 64);
    }
  });
  JuntaTable result(table.high(), table.order, std::move(bits));
  result.features = table.features;
  result.weigh(table.weights);
  return result;
}

}  // namespace

ShuffleTest test_by_shuffles(const JuntaTable& table, double score, std::size_t permutations,
                             std::uint64_t seed, const BestScore& best_score, Progress& progress) {
  const std::vector<std::size_t> places = places_of(table.order);
  std::vector<std::size_t> dealt = places;
  RandomChoices random(seed, purpose);
  std::vector<double> scores;
  progress.begin("shuffles", permutations);
  while (scores.size() < permutations) {
    shuffle(dealt, random);
    scores.push_back(best_score(moved(table, dealt, places)));
    progress.advance(scores.size());
  }
  progress.end();
  std::sort(scores.begin(), scores.end());
  ShuffleTest test;
  test.permutations = permutations;
  test.as_good = static_cast<std::uint64_t>(scores.end() -
                                            std::lower_bound(scores.begin(), scores.end(), score));
  test.median = (scores[(permutations - 1) / 2] + scores[permutations / 2]) / 2;
  test.largest = scores.back();
  return test;
}

}  // namespace fsieve::methods
