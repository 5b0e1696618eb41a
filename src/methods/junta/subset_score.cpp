#include "methods/junta/subset_score.h"

#include <vector>

namespace fsieve::inline methods {

double score_of_subset(const JuntaTable& table, const JuntaScore& score,
                       std::span<const std::size_t> subset) {
  const std::span<const std::size_t> prefix = subset.subspan(1);
  const std::size_t masks = std::size_t{1} << prefix.size();
  std::vector<std::uint32_t> with(2 * masks);
  std::vector<std::uint32_t> without(2 * masks);
  std::vector<const std::uint32_t*> places;
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t mask = 0; mask < masks; ++mask) {
      std::vector<std::size_t> set;
      for (std::size_t bit = 0; bit < prefix.size(); ++bit) {
        if ((mask >> bit & 1U) != 0) set.push_back(prefix[bit]);
      }
      const std::size_t at = k * masks + mask;
      without[at] = static_cast<std::uint32_t>(table.count(k, set));
      set.push_back(subset[0]);
      with[at] = static_cast<std::uint32_t>(table.count(k, set));
      places.push_back(&with[at]);
    }
  }
  JuntaScore::Prefix scored;
  scored.set(score, {static_cast<int>(prefix.size()), 2, places.data(), without.data(), 1}, prefix,
             subset[0]);
  return scored.exact(0);
}

}  // namespace fsieve::methods
