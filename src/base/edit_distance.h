// How many slips of the fingers lie between two texts.
#pragma once

#include <cstddef>
#include <string_view>

namespace fsieve::inline base {

// Longer texts are no names that anybody types: they are far from everything.
inline constexpr std::size_t longest_typed = 64;

// Insertions, deletions, replacements and swaps of neighbours that lead from a to b, where they are
// fewer than `limit`; else `limit`.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

}  // namespace fsieve::base
