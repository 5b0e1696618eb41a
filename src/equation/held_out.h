// How equations do on rows that were not used to fit them.
#pragma once

#include <cstddef>
#include <vector>

#include "data/design.h"
#include "equation/claim.h"
#include "equation/held_out_fit.h"
#include "equation/sheet.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve::inline equation {

// Refits the coefficients, which are near those of least squares, to all rows and judges them. The
// row that is left out (PRESS) is predicted with the help of its leverage, without another fit; one
// that alone determines a coefficient is predicted by the mean. `sheet`: rows that say where the
// bulk of the values lies.
[[nodiscard]] std::vector<HeldOutFit> held_out(const Source& source, const Design& design,
                                               const Sheet& sheet, std::vector<Claim>& claims,
                                               Progress& progress);

}  // namespace fsieve::equation
