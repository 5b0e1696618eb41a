// UFFS with the relations among the columns first: products, powers and ratios, sums, sums of
// products. What is kept then does not depend on the order of the columns.
#pragma once

#include <string>
#include <vector>

#include "fsieve/equation.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"
#include "fsieve/uffs.h"

namespace fsieve {

struct RelationsResult {
  UffsResult reduced;
  std::vector<Equation> relations;  // all that were found, simplest first
};

// Keeps as few features as it can, with equations by kept features where possible; the walk of
// uffs() looks at what is left, in an order computed from values (that of `options` says nothing).
// Of columns that are the same up to unit and origin the first stays. The rule must be adjusted;
// sums without rows are walked as they stand.
[[nodiscard]] RelationsResult uffs_by_relations(const Source& source, const UffsOptions& options,
                                                Progress& progress);

}  // namespace fsieve
