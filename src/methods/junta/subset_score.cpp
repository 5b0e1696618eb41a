#include "methods/junta/subset_score.h"

#include "bits/subset_counts.h"

namespace fsieve::inline methods {

double score_of_subset(const JuntaTable& table, const JuntaScore& score,
                       std::span<const std::size_t> subset) {
  const SubsetCounts counts(table.order, table.bits, subset);
  JuntaScore::Prefix scored;
  scored.set(score, counts.view(), subset.subspan(1), subset[0]);
  return scored.exact(0);
}

}  // namespace fsieve::methods
