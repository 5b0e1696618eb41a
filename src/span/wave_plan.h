// A wave of the gram engine: what is formed together, before it is known which features stay.
#pragma once

#include <cstddef>
#include <vector>

#include "basis/parity.h"

namespace fsieve::inline span {

// The next features that are expected to stay ("candidates") with the parities they would bring,
// and the other open features ("bystanders"), expected to go or to come later. Features are named
// by their positions in the running order.
struct WavePlan {
  std::vector<std::size_t> candidates;
  std::vector<std::size_t> bystanders;
  std::vector<Parity> parities;
  std::vector<std::size_t> owners;   // of each parity: its newest feature
  std::vector<std::size_t> singles;  // design columns of the bystanders
};

}  // namespace fsieve::span
