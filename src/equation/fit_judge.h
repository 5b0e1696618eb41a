// Judges fits on rows that they were not fitted to.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "equation/fit.h"
#include "equation/held_out_fit.h"
#include "equation/sheet.h"
#include "fsieve/progress.h"
#include "span/products.h"

namespace fsieve::inline equation {

class FitJudge {
 public:
  FitJudge(const Products& products, Progress& progress)
      : products_(products), progress_(progress) {}

  // Sets the fits' coefficients to those of all rows, and both of their R². With the rows at hand
  // each row is left out in turn; where only sums are left, each part of the rows, and coefficients
  // stay as they are.
  std::vector<HeldOutFit> judge(const std::vector<std::size_t>& targets, std::vector<Fit>& fits);

 private:
  const Products& products_;
  Progress& progress_;
  std::unique_ptr<Sheet> sheet_;  // read when it is first needed
};

}  // namespace fsieve::equation
