// A table of predictions as a short formula in the columns' own values.
#pragma once

#include <string>
#include <vector>

#include "fsieve/model.h"

namespace fsieve::inline methods {

inline constexpr std::size_t most_formula_features = 4;

// When the second class is predicted: "colour = red and (age > 40 or size = big)"; "always" and
// "never" where it does not depend on anything. The shortest of all sums of products and products
// of sums; every cell of the table counts, whether rows fell into it or not.
[[nodiscard]] std::string formula_of(const std::vector<ModelFeature>& features,
                                     const std::vector<ModelCell>& table);

// "colour = red", "age ≤ 40": the feature at one of its values.
[[nodiscard]] std::string condition(const ModelFeature& feature, bool high);

// A column's own value as text.
[[nodiscard]] std::string value_text(const ColumnValue& value);

}  // namespace fsieve::methods
