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

  [[nodiscard]] std::size_t rows() const { return design.rows; }
  [[nodiscard]] const double* column(std::size_t c) const {
    return standardised.data() + c * design.rows;
  }
};

[[nodiscard]] SupervisedData make_supervised_data(const Source& source, Task task,
                                                  Progress& progress);

}  // namespace fsieve
