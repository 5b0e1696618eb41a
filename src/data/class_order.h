// The order of classes, the same for every method that has any.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fsieve::inline data {

// Positions in `classes`, the first class first: by number where all of them are numbers, equal
// numbers and all others by bytes.
[[nodiscard]] std::vector<std::size_t> class_order(const std::vector<std::string>& classes);

}  // namespace fsieve::data
