// Text of a file as it may stand in a one-line message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "table/cell_text.h"

namespace fsieve::io {

// Control characters (line ends above all) become blanks, bytes that are not UTF-8 become '?', and
// long text is cut.
inline std::string shown(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string out;
  for (std::size_t i = 0; i < text.size() && out.size() < longest; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    out += byte < 0x20 || byte == 0x7F ? ' ' : text[i];
  }
  if (out.size() < text.size()) {
    while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xC0U) == 0x80U)
      out.pop_back();
    if (!out.empty() && static_cast<unsigned char>(out.back()) >= 0xC0U) out.pop_back();
    out += "…";
  }
  if (!is_utf8(out)) {
    for (char& c : out) {
      if (static_cast<unsigned char>(c) >= 0x80U) c = '?';
    }
  }
  return out;
}

}  // namespace fsieve::io
