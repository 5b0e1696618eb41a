// What a user asks of a selection beside the number of features, by positions of features.
#pragma once

#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "fsieve/sffs.h"

namespace fsieve::inline methods {

struct Together {
  std::string name;
  std::vector<std::size_t> features;  // in input order
};

struct Wishes {
  std::vector<std::size_t> keep;    // taken first, in this order
  std::vector<std::size_t> adjust;  // everything is judged given these
  std::vector<Together> groups;     // taken as one
  std::vector<double> cost;         // per feature of the schema; empty: all 1

  [[nodiscard]] double cost_of(std::size_t feature) const {
    return cost.empty() ? 1 : cost[feature];
  }
  [[nodiscard]] double cost_of(const std::vector<std::size_t>& features) const {
    return std::accumulate(features.begin(), features.end(), 0.0,
                           [&](double sum, std::size_t f) { return sum + cost_of(f); });
  }
};

// The features that the options name. Throws Error where there is no such feature, or where wishes
// contradict each other.
[[nodiscard]] Wishes wishes_of(const SffsOptions& options, const Schema& schema);

}  // namespace fsieve::methods
