// Judges fits on rows that they were not fitted to.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "data/design.h"
#include "equation/fit.h"
#include "equation/held_out.h"
#include "equation/sheet.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve::inline equation {

class FitJudge {
 public:
  FitJudge(const Source& source, const Design& design, Progress& progress)
      : source_(source), design_(design), progress_(progress) {}

  // Sets the fits' coefficients to those of all rows, and both of their R². With the rows at hand
  // each row is left out in turn; where only sums are left, each part of the rows, and coefficients
  // stay as they are.
  std::vector<HeldOutFit> judge(const std::vector<std::size_t>& targets, std::vector<Fit>& fits);

 private:
  const Source& source_;
  const Design& design_;
  Progress& progress_;
  std::unique_ptr<Sheet> sheet_;  // read when it is first needed
};

}  // namespace fsieve::equation
