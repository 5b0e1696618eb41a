// The cells of some categories: rows that have the same level of each. No function of these
// categories leaves less of another feature than it varies within the cells, so neither do any
// products of their indicators.
#pragma once

#include <cstddef>
#include <vector>

#include "data/design.h"
#include "fsieve/source.h"

namespace fsieve::inline span {

class JointCells {
 public:
  // `source` must be in memory, and outlive it; so must `design`.
  JointCells(const Source& source, const Design& design);

  void refine(std::size_t category);
  [[nodiscard]] std::size_t count() const { return ends_.size(); }

  // The largest share of the squared norm of a feature's columns that varies within the cells.
  [[nodiscard]] double left_of(std::size_t feature) const;

 private:
  [[nodiscard]] double weight(std::size_t row) const {
    return all_.weights.empty() ? 1 : all_.weights[row];
  }
  [[nodiscard]] double left_of_levels(std::size_t category) const;
  [[nodiscard]] double left_of_number(std::size_t column) const;

  const Source& source_;
  const Design& design_;
  Block all_;
  std::vector<std::size_t> rows_;  // cell by cell; without those of weight 0
  std::vector<std::size_t> ends_;  // of each cell, in rows_
};

}  // namespace fsieve::span
