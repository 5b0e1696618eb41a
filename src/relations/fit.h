// Coefficients of relations, and whether they hold: on the sheet to screen, on all rows to claim.
#pragma once

#include <vector>

#include "data/design.h"
#include "equation/sheet.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"
#include "relations/relation.h"

namespace fsieve::relations {

// Least squares on the sheet, with a constant where it matters (`products` gains or loses the empty
// one). Returns the norm of what is left of the standardised target; infinite where a product is
// not a finite number.
[[nodiscard]] double fit(const Sheet& sheet, Relation& relation);

struct Checked {
  double norm = 1;           // of what is left of the standardised target
  double adjusted_norm = 1;  // corrected for the degrees of freedom used up
  bool holds = false;
};

// Norms that may be left: by the fit to all rows, and row by row of what the other rows predict. Of
// an exact sum a row that alone has some level leaves something when it is left out.
struct Allowed {
  double left = 0;
  double left_out = 0;
};

// Fits relations, which `fit` has seen, on all rows and sets their R². One holds when
// * no more is left than allowed;
// * it is no chance, given how many it was chosen from;
// * it holds for the bulk of the rows too, not only where a few large values stand.
[[nodiscard]] std::vector<Checked> check(const Source& source, const Design& design,
                                         const Sheet& sheet, std::vector<Relation>& relations,
                                         const Allowed& allowed, Progress& progress);

}  // namespace fsieve::relations
