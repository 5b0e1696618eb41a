#include "methods/union/shared_cells.h"

#include <cstdint>
#include <sstream>

#include "base/binary_lists.h"
#include "bits/saved_bits.h"
#include "bits/subset_tiles.h"
#include "methods/union/sign_cells.h"

namespace fsieve::inline methods {

void rank_sign_subsets_on(const Machines& machines, const ClassSegments& order,
                          const BitStore& bits, const std::vector<std::size_t>& features, int size,
                          Ranking& ranking, Progress& progress) {
  std::ostringstream out;
  save_format(out);
  save_text(out, union_work);
  save_count(out, static_cast<std::size_t>(size));
  save_count(out, ranking.top());
  save_count(out, ranking.in_union());
  save_values(out, std::vector<std::uint64_t>(features.begin(), features.end()));
  save_bits(out, order, bits, features.size());
  const SubsetWork work{choose(features.size(), static_cast<std::size_t>(size)),
                        static_cast<double>(order.words)};
  rank_on_machines(machines, out.str(), work, ranking, progress);
}

std::string rank_range(std::istream& bits, const std::string& range, Progress& progress) {
  std::uint64_t size = 0;
  std::uint64_t top = 0;
  std::uint64_t united = 0;
  for (std::uint64_t* const number : {&size, &top, &united}) load_value(bits, *number);
  std::vector<std::uint64_t> places;
  load_list(bits, places);
  const std::vector<std::size_t> features(places.begin(), places.end());
  const SavedBits saved = load_bits(bits, features.size());
  const NumberRange subsets = range_of(range);
  Ranking ranking(features.empty() ? 0 : features.back() + 1, top, united);
  SharedProgress shared(progress, "subsets", static_cast<double>(subsets.size()));
  rank_sign_range(saved.order, saved.bits, features, static_cast<int>(size), subsets, ranking,
                  shared);
  shared.end();
  return best_text(ranking);
}

}  // namespace fsieve::methods
