// What a run of UFFS is about: a table as its columns are seen, and what was asked of it.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "data/design.h"
#include "fsieve/run_context.h"
#include "fsieve/source.h"
#include "fsieve/uffs.h"
#include "span/products.h"

namespace fsieve::inline methods {

using Features = std::vector<std::size_t>;

struct Problem {
  Problem(const Source& table, const UffsOptions& asked, const RunContext& around);

  const Source& source;
  const UffsOptions& options;
  const RunContext& context;
  Progress& progress;
  Design design;
  std::unique_ptr<const Products> products;
  Groups groups;
  std::vector<bool> stays;  // features that no test removes
};

// Is the order of the features that of the relations found in the rows, whatever the input's?
[[nodiscard]] bool relations_first(const Source& source, const UffsOptions& options);

// The features in the order in which they are looked at; constants are removed before anything is
// ordered or cut.
[[nodiscard]] Features running_order(const Problem& problem);

}  // namespace fsieve::methods
