// A feature cut into a few steps, so that rows fall into cells.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "fsieve/source.h"

namespace fsieve::inline page {

struct Axis {
  std::string name;
  bool category = false;            // its steps have no order
  std::vector<std::string> labels;  // of the steps
  std::vector<std::size_t> step;    // of every row

  [[nodiscard]] std::size_t steps() const { return labels.size(); }
};

// Numbers of few values have a step for each, others ranges of about as many rows; of categories
// the most frequent have one each and the others the last. At most `most` steps (2 or more).
[[nodiscard]] Axis make_axis(const Column& column, std::span<const double> values,
                             std::size_t most);

}  // namespace fsieve::page
