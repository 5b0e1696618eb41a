// Characters of UTF-8 text.
#pragma once

#include <cstddef>
#include <string_view>

namespace fsieve::inline base {

// Bytes of the character that the text begins with; 0 where these bytes are no UTF-8 (overlong
// forms and halves of pairs are none), or where there are none.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

// The number of the character in the first `length` bytes, as utf8_length gave it.
[[nodiscard]] char32_t utf8_code(std::string_view text, std::size_t length);

}  // namespace fsieve::base
