// Features and label side by side in memory, as the supervised searches need them.
#pragma once

#include <cstddef>
#include <vector>

#include "data/buffer.h"
#include "data/design.h"
#include "data/label.h"

namespace fsieve {

struct SupervisedData {
  const Source* source = nullptr;  // in memory
  Design design;
  Label label;
  std::vector<std::size_t> features;  // that may be chosen: not constant, not removed before
  Buffer standardised;                // every design column over all rows, one after another
  // The constant function times √w: what products of columns begin with, so that they are scaled
  // like all functions whose inner products are taken.
  std::vector<double> unit;

  [[nodiscard]] std::size_t rows() const { return design.rows; }
  [[nodiscard]] double weight() const { return design.weight; }  // n: the rows, weighted
  [[nodiscard]] bool weighted() const { return !label.weights.empty(); }
  [[nodiscard]] const double* column(std::size_t c) const {
    return standardised.data() + c * design.rows;
  }
};

// `source` is in memory, and none of its rows has weight 0.
[[nodiscard]] SupervisedData make_supervised_data(const Source& source, Task task,
                                                  Progress& progress);

}  // namespace fsieve
