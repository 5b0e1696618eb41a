// How a name ends, whatever the case of its letters.
#pragma once

#include <algorithm>
#include <string_view>

namespace fsieve::inline base {

// `end` is in small letters.
[[nodiscard]] inline bool ends_with_any_case(std::string_view text, std::string_view end) {
  if (text.size() < end.size()) return false;
  text.remove_prefix(text.size() - end.size());
  return std::equal(text.begin(), text.end(), end.begin(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + ('a' - 'A')) : a) == b;
  });
}

}  // namespace fsieve::base
