// The inner products that the fits of many equations need.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "equation/fit.h"
#include "fsieve/progress.h"
#include "span/products.h"

namespace fsieve::inline equation {

// For every task, the inner products of its (standardised) products and its target. Equations of
// one table use the same products again and again: where that takes fewer sums, those of all
// products of all tasks are formed once and shared.
class TaskGrams {
 public:
  TaskGrams(const Products& products, std::span<const FitTask> tasks, Progress& progress);

  // The lower triangle of a task's Gram matrix, column-major; the target is the last.
  [[nodiscard]] std::vector<double> gram(std::size_t task) const;

 private:
  // Where a task's inner products are: its functions' places in a square matrix.
  struct Place {
    std::size_t offset = 0;  // in sums_
    std::size_t size = 0;    // of the matrix
    std::vector<std::size_t> functions;
  };

  std::vector<Place> places_;
  std::vector<double> sums_;  // one matrix per task, or one for all
};

// How many of the tasks, from the first on, can be summed in one pass over the data: at least one.
[[nodiscard]] std::size_t tasks_of_one_pass(std::span<const FitTask> tasks);

}  // namespace fsieve::equation
