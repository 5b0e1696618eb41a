// A step that the forward search might take: which features, and what they are worth.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "methods/forward/round.h"
#include "methods/forward/taken_step.h"

namespace fsieve::inline methods {

struct Step {
  StepKind kind = StepKind::alone;
  std::vector<std::size_t> features;
  Catch worth;  // its gain is per cost
  double p_value = 1;
  std::optional<double> log_tries = {};  // of the p-value, where tails of distributions gave it
  double cost = 1;
  bool kept = false;  // was asked for, not found

  // What the functions catch, once they are judged.
  void judge(const Catch& functions) {
    worth = functions;
    worth.gain /= cost;
    worth.error /= cost;
  }

  bool operator<(const Step& other) const {
    return worth.gain != other.worth.gain ? worth.gain > other.worth.gain
                                          : features < other.features;
  }
};

}  // namespace fsieve::methods
