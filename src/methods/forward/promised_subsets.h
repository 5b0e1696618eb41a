// The subsets that scans have promised so far, each once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

#include "methods/forward/step.h"

namespace fsieve::inline methods {

using Subsets = std::vector<std::vector<std::size_t>>;

class PromisedSubsets {
 public:
  static constexpr std::size_t remembered = 100;  // of one scan

  // The best of these, which come best first.
  void add(const std::vector<Step>& steps) {
    for (std::size_t k = 0; k < std::min(steps.size(), remembered); ++k) {
      if (known_.insert(steps[k].features).second) subsets_.push_back(steps[k].features);
    }
  }

  // Those of `free` features, which are in order.
  [[nodiscard]] Subsets among(const std::vector<std::size_t>& free) const {
    Subsets among;
    for (const auto& subset : subsets_) {
      const bool all = std::all_of(subset.begin(), subset.end(), [&](std::size_t feature) {
        return std::binary_search(free.begin(), free.end(), feature);
      });
      if (all) among.push_back(subset);
    }
    return among;
  }

 private:
  Subsets subsets_;  // in the order they were found in
  std::set<std::vector<std::size_t>> known_;
};

}  // namespace fsieve::methods
