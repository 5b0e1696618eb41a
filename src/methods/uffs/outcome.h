// What is known of a feature after its last stage.
#pragma once

#include <vector>

#include "basis/parity.h"
#include "equation/fit.h"
#include "span/ledger.h"

namespace fsieve::inline methods {

struct Outcome {
  Test test;
  bool undecided = false;
  int stage = 0;  // that removed it
  std::vector<std::vector<Parity>> supports;
  std::vector<Fit> fits;  // by these supports, where they were judged
};

// What equations leave of a feature's columns on all rows.
[[nodiscard]] Test left_by_fits(const std::vector<Fit>& fits);

}  // namespace fsieve::methods
