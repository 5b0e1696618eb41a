// The rows on which relations are looked for: all of them, or evenly spaced ones of a large table.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "data/design.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve::inline equation {

struct Sheet {
  std::size_t rows = 0;
  std::vector<double> values;  // design columns in original units, one after another
  std::vector<double> roots;   // √weight of the rows, mean square 1; empty: all 1

  [[nodiscard]] const double* column(std::size_t c) const { return values.data() + c * rows; }
  [[nodiscard]] std::size_t columns() const { return rows == 0 ? 0 : values.size() / rows; }
};

// At most `most` rows, all of positive weight.
[[nodiscard]] Sheet read_sheet(const Source& source, const Design& design, std::size_t most,
                               Progress& progress);

// Evenly spaced ones of its rows, at most `most`.
[[nodiscard]] Sheet thinned(const Sheet& sheet, std::size_t most);

// Columns centred and of mean square 1, times the roots of the weights; what is constant becomes 0.
// `deviations` gets their deviations.
[[nodiscard]] std::vector<double> standardised(const Sheet& sheet, std::vector<double> columns,
                                               std::vector<double>& deviations);

// The inner products ⟨f, g⟩ of standardised columns: the whole symmetric matrix.
[[nodiscard]] std::vector<double> gram(std::size_t rows, const std::vector<double>& columns);

}  // namespace fsieve::equation
