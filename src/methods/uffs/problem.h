// What a run of UFFS is about: a table as its columns are seen, and what was asked of it.
#pragma once

#include <cstddef>
#include <vector>

#include "data/design.h"
#include "fsieve/run_context.h"
#include "fsieve/source.h"
#include "fsieve/uffs.h"

namespace fsieve::inline methods {

using Features = std::vector<std::size_t>;

struct Problem {
  Problem(const Source& table, const UffsOptions& asked, const RunContext& around);

  const Source& source;
  const UffsOptions& options;
  const RunContext& context;
  Progress& progress;
  Design design;
  Groups groups;
  std::vector<bool> stays;  // features that no test removes
  bool sums_only;           // the rows are gone
};

// The features in the order in which they are looked at; constants are removed before anything is
// ordered or cut.
[[nodiscard]] Features running_order(const Problem& problem);

}  // namespace fsieve::methods
