// Arrays of one number for each of thousands of columns, one array after another.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace fsieve::inline methods {

// From one array to the next, for at least so many columns: a power of two would put all that is
// known of a column into a few lines of the cache.
[[nodiscard]] inline std::size_t stride_for(std::size_t columns) {
  constexpr std::size_t line = 16;
  return ((columns + line - 1) / line | 1U) * line;
}

// Arrays over `columns` columns, of which those of `kept` stay.
template <class Number>
void keep_columns(std::size_t columns, const std::vector<std::size_t>& kept,
                  std::vector<Number>& arrays) {
  const std::size_t before = stride_for(columns);
  const std::size_t after = stride_for(kept.size());
  const std::size_t count = arrays.size() / before;
  std::vector<Number> fewer(count * after);
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t k = 0; k < kept.size(); ++k) {
      fewer[a * after + k] = arrays[a * before + kept[k]];
    }
  }
  arrays = std::move(fewer);
}

}  // namespace fsieve::methods
