// Discrete features as codes: which of its levels a feature has in each row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/supervised_data.h"

namespace fsieve::inline data {

struct Levels {
  std::size_t count = 0;             // every one of them occurs
  std::vector<std::uint32_t> codes;  // per row
};

// A two-valued or categorical feature; a number of more values is cut at the `bins` quantiles,
// equal values together (no bins: an Error).
[[nodiscard]] Levels levels_of(const SupervisedData& data, std::size_t feature, std::size_t bins);

// Is the feature discrete without bins?
[[nodiscard]] bool is_discrete(const SupervisedData& data, std::size_t feature);

}  // namespace fsieve::data
