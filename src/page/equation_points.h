// Some rows of a column beside what its equation gives there: the points of a picture.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <vector>

#include "fsieve/equation.h"
#include "fsieve/source.h"
#include "page/row_sample.h"

namespace fsieve::inline page {

// How many rows so many equations are shown at: at most 200, fewer where they are very many.
[[nodiscard]] std::size_t rows_shown(std::size_t equations);

// For each equation that can be computed from the sample (which has all columns) an object
// {target, low, high, observed, given}: places between low and high in 4096 steps, two
// characters of base 64 each. They are for the eye; 1000 equations are to stay below half a
// megabyte.
[[nodiscard]] nlohmann::ordered_json equation_points(const std::vector<Equation>& equations,
                                                     const Schema& schema, const RowSample& sample);

}  // namespace fsieve::page
