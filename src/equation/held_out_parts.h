// How equations do on rows that were not used to fit them, where only sums over parts of the rows
// are left.
#pragma once

#include <cstddef>
#include <vector>

#include "data/design.h"
#include "equation/fit.h"
#include "equation/held_out_fit.h"
#include "span/parity_sums.h"

namespace fsieve::inline equation {

// Every part is predicted by the terms of a fit with coefficients of the other parts. Sets `r2` of
// the fits, which are right already. Where the bulk of the values lies is not known from sums: that
// is left out of the judgement.
[[nodiscard]] std::vector<HeldOutFit> held_out_parts(const ParitySums& sums, const Design& design,
                                                     const std::vector<std::size_t>& targets,
                                                     std::vector<Fit>& fits);

}  // namespace fsieve::equation
