// Columns that the few most correlated others explain: what can be told where columns outnumber
// rows.
#pragma once

#include <cstdint>
#include <vector>

#include "equation/sheet.h"
#include "relations/relation.h"

namespace fsieve::relations {

// Linear relations up to `epsilon` (norm, corrected for the degrees of freedom), the best explained
// columns first. No column is both explained and used, so all targets can go together. Without
// coefficients.
[[nodiscard]] std::vector<Relation> by_neighbours(const Sheet& sheet,
                                                  const std::vector<std::uint32_t>& columns,
                                                  double epsilon);

}  // namespace fsieve::relations
