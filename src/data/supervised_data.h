// Features and label side by side in memory, as the supervised searches need them.
#pragma once

#include <cstddef>
#include <vector>

#include "base/buffer.h"
#include "data/design.h"
#include "data/label.h"
#include "source/machines.h"

namespace fsieve::inline data {

struct SupervisedData {
  const Source* source = nullptr;  // in memory
  Design design;
  Label label;
  std::vector<std::size_t> features;  // that may be chosen: not constant, not removed before
  Buffer standardised;                // every design column over all rows, one after another
  // The constant function times √w: what products of columns begin with, so that they are scaled
  // like all functions whose inner products are taken.
  std::vector<double> unit;
  // How many of a feature's columns, the last ones, are functions of the feature beside its plain
  // column (data/families.h), which take no part in products; empty: none have any.
  std::vector<std::size_t> curves;
  // The weights balance classes: rows are as many as they are, whatever they weigh.
  bool balanced = false;
  const Machines* machines = nullptr;  // that score subsets too; none: this one alone

  [[nodiscard]] std::size_t rows() const { return design.rows; }
  [[nodiscard]] double weight() const { return design.weight; }  // n: the rows, weighted
  [[nodiscard]] bool weighted() const { return !label.weights.empty(); }
  // The columns of a feature that make products: [first, plain_end).
  [[nodiscard]] std::size_t plain_end(std::size_t feature) const {
    return design.features[feature].last - (curves.empty() ? 0 : curves[feature]);
  }
  [[nodiscard]] bool curved(std::size_t feature) const {
    return !curves.empty() && curves[feature] > 0;
  }
  [[nodiscard]] const double* column(std::size_t c) const {
    return standardised.data() + c * design.rows;
  }
};

// `source` is in memory, and none of its rows has weight 0.
[[nodiscard]] SupervisedData make_supervised_data(const Source& source, Task task,
                                                  Progress& progress);
// The same with a label that was already read.
[[nodiscard]] SupervisedData make_supervised_data(const Source& source, Label label,
                                                  Progress& progress);

// The same rows, label and features, which have no columns yet.
[[nodiscard]] SupervisedData without_columns(const SupervisedData& data);

}  // namespace fsieve::data
