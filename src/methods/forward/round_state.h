// Where a round of the forward search stands: under a beam there are several.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "measure/growing_score.h"
#include "methods/forward/round.h"
#include "methods/forward/step.h"
#include "methods/forward/taken_step.h"

namespace fsieve::inline methods {

struct RoundState {
  Round round;
  GrowingScore score;       // of the round's span
  bool first_round = true;  // of the search: nothing was selected before
  std::vector<Step> steps = {};
  std::vector<TakenStep> taken = {};  // the same
  std::vector<double> scores = {};    // after each step
  std::size_t given = 0;              // features that the round began with
  bool done = false;
  bool sure = true;  // takes what is sure, not yet what is likely
  // What the best curve gained when curves were last looked at: hardly less than it does now.
  double curve_gain = std::numeric_limits<double>::infinity();
  // The best steps of one feature, by kind, where they were asked for since the last one was taken.
  std::array<std::optional<std::vector<Step>>, 3> singles = {};

  // The share of the label that the span leaves, degrees of freedom taken into account; rounded, so
  // that the same features taken in another order leave the same.
  [[nodiscard]] double unexplained(double rows) const {
    const double freedom = rows - std::min(static_cast<double>(round.rank()), rows - 1);
    return std::round(round.left() / round.total() * rows / freedom * 1e10);
  }
};

}  // namespace fsieve::methods
