// A step that a search has taken: what is needed to take it again.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace fsieve::inline methods {

// What a step brings: a feature with its products with those taken, alone, or with its curves; or a
// subset of features, with their own products.
enum class StepKind { with_products, alone, curved, subset };

struct TakenStep {
  StepKind kind = StepKind::alone;
  std::vector<std::size_t> features;
  int round = 1;
  bool curves = false;  // came in too, after the step
  double gain = 0;      // share of the label's variance beyond noise, of each of its features
  // Where the number of features cut it off: all that it took.
  std::vector<std::size_t> whole = {};
  // At a level: what its p-value was multiplied with, as a logarithm; none: it was not tested.
  std::optional<double> log_tries = {};
};

}  // namespace fsieve::methods
