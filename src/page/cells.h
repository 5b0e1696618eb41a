// Rows in cells, and how well a cell predicts a row that is left out of it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "page/axis.h"

namespace fsieve::inline page {

// The label of sampled rows: a class (0, 1, ...) or a number.
struct Response {
  bool number = false;
  std::size_t classes = 0;
  std::vector<double> values;
};

struct Cell {
  std::size_t rows = 0;
  double sum = 0;
  std::vector<std::size_t> counts;  // of the classes
};

// The cell of a row is first·(steps of the others) + second·…, the last axis running fastest.
[[nodiscard]] std::vector<Cell> cells(std::span<const Axis* const> axes, const Response& response);

// Leave-one-out: the share of rows whose class their cell's other rows have most, or the share of
// the variance of a number that the means of the other rows explain. A row alone in its cell is
// predicted by all other rows.
[[nodiscard]] double left_out_score(std::span<const Axis* const> axes, const Response& response);

}  // namespace fsieve::page
