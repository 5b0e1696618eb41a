// JSON that somebody else may have written.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace fsieve::inline base {

// Deeper than anything fsieve writes. What walks through an object calls itself for every level,
// and a text of a hundred thousand brackets must not end the program.
inline constexpr int deepest_json = 64;

// Throws Error that says what is wrong with the text in a few words: "it is not JSON".
[[nodiscard]] nlohmann::ordered_json json_in(std::string_view text);

}  // namespace fsieve::base
