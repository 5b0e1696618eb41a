// The predictor on a subset: its coefficients and its table (004 Algorithm 1, second procedure).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fsieve/model.h"
#include "methods/junta/junta_table.h"

namespace fsieve::inline methods {

// f̂_S of a subset S of the features, by mask.
struct MaskedCoefficient {
  std::size_t mask = 0;
  double value = 0;
};

struct Predictor {
  std::vector<std::int64_t> cells;              // as count_cells
  std::vector<double> values;                   // per cell
  std::vector<MaskedCoefficient> coefficients;  // of the non-trivial parities, in standard order
};

[[nodiscard]] Predictor make_predictor(const JuntaTable& table, std::span<const std::size_t> subset,
                                       Learner learner, Basis basis);

// How far the features of a subset are from independent: the total variation distance between their
// joint frequencies and the products of their own.
[[nodiscard]] double dependence(const JuntaTable& table, std::span<const std::size_t> subset,
                                const std::vector<std::int64_t>& cells);

}  // namespace fsieve::methods
