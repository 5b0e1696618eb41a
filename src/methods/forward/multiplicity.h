// How many candidates the best step of a kind is the best of. That is what its chance is multiplied
// by, so that the level is that of all of them together.
#pragma once

#include <cstddef>
#include <vector>

#include "data/supervised_data.h"

namespace fsieve::inline methods {

// log of the number of subsets of k among n.
[[nodiscard]] double log_subsets(std::size_t n, std::size_t k);

// Every column of the input has the same part of the level, whatever it became: the features that a
// date became share one, so that a date costs the others no more than a number does.
class Multiplicity {
 public:
  Multiplicity(const SupervisedData& data, const std::vector<std::size_t>& candidates);

  // log of the number for a step of these candidates, among all steps of as many.
  [[nodiscard]] double log_candidates(const std::vector<std::size_t>& features) const;

  // How many candidates have curves, as a share of all.
  [[nodiscard]] double curved_share() const { return curved_share_; }

 private:
  std::vector<double> log_part_;  // of the level, by feature
  std::vector<double> log_sums_;  // of the products of the parts of all subsets, by size
  double curved_share_ = 0;
};

}  // namespace fsieve::methods
