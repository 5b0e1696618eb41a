// Whole numbers of more digits than a double has: ids above all. They are computed with rounded,
// and written as they are.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <system_error>

#include "table/cell_text.h"

namespace fsieve::io::inline table {

// Doubles below 2^53 hold every whole number; from there on two of them may become one.
[[nodiscard]] inline bool is_beyond_exact(double value) {
  return std::abs(value) >= 0x1p53 && !std::isinf(value);
}

// Digits only, with or without a sign.
[[nodiscard]] inline bool is_whole_text(std::string_view text) {
  text = trim_blanks(text);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

// False when the text is no whole number, or one that the type cannot hold.
template <typename Whole>
[[nodiscard]] bool parse_whole(std::string_view text, Whole& value) {
  text = trim_blanks(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && last == end && !text.empty();
}

}  // namespace fsieve::io::table
