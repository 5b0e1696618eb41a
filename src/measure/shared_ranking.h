// A ranking of all subsets that many machines make together: each gets ranges of subsets, and says
// which of them are best. Who is lost costs the ranges it had.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bits/number_ranges.h"
#include "fsieve/progress.h"
#include "measure/ranking.h"
#include "source/machines.h"

namespace fsieve::inline measure {

// An exhaustive search: so many subsets, and the words of bits that are counted for each.
struct SubsetWork {
  double subsets = 0;
  double words = 0;

  // Does it take longer than asking other machines?
  [[nodiscard]] bool worth_sharing() const;
};

// Offers what is said to every range of the subsets. `common`: what all machines need, which is
// told with every range to the function that work is done by (methods/shared_work.h).
void rank_on_machines(const Machines& machines, const std::string& common, const SubsetWork& work,
                      Ranking& ranking, Progress& progress);

// The range that a machine is to rank.
[[nodiscard]] NumberRange range_of(const std::string& piece);

// What it says: the best of its subsets.
[[nodiscard]] std::string best_text(const std::vector<ScoredSubset>& best);
// The same, and those that the union needs.
[[nodiscard]] std::string best_text(const Ranking& ranking);

}  // namespace fsieve::measure
