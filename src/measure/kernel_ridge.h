// The model whose predictions say how good chosen features are: ridge regression in the functions
// of a linear and a Gaussian kernel, so that straight lines, curves and interactions all count.
#pragma once

#include <cstddef>
#include <vector>

#include "data/label.h"

namespace fsieve::inline measure {

// Grows column by column: inner products of rows are kept, and every prediction is that of the
// columns added so far.
class KernelRidge {
 public:
  // `label`: of the rows to learn from. `centres`: those of these rows that the kernels are centred
  // at. `asked`: how many rows are to be predicted.
  KernelRidge(const Label& label, std::vector<std::size_t> centres, std::size_t asked);

  // Standardised columns, one after another, of the rows to learn from and, in the same units, of
  // those to be predicted.
  void add(std::vector<double> known, std::vector<double> asked);

  // The label's columns (Label::centred_columns, before they were centred) of the rows asked for,
  // one after another.
  [[nodiscard]] std::vector<double> predict() const;

 private:
  // Rows beside the centres: inner products with them, and squared lengths.
  struct Side {
    std::size_t rows = 0;
    std::vector<double> inner;
    std::vector<double> squares;
  };
  void grow(Side& side, const std::vector<double>& columns, const std::vector<double>& at_centres);
  [[nodiscard]] std::vector<double> kernels(const Side& side) const;

  const Label& label_;
  std::vector<std::size_t> centres_;
  std::vector<double> target_;  // the label's columns, centred, times √w
  std::vector<double> means_;   // of the label's columns
  std::size_t columns_ = 0;
  Side known_;
  Side asked_;
};

}  // namespace fsieve::measure
