#include "base/visible.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace fsieve::inline base {
namespace {

bool acts_on_terminals(char32_t code) {
  if (code < 0x20 || (code >= 0x7F && code <= 0x9F)) return true;
  if (code == 0x061C || code == 0x200E || code == 0x200F) return true;  // marks of direction
  return (code >= 0x2028 && code <= 0x202E)     // line and paragraph ends, embeddings, overrides
         || (code >= 0x2066 && code <= 0x2069)  // isolates
         || (code >= 0xFFF9 && code <= 0xFFFB) || code == 0xFEFF;
}

std::string spelled(char32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  const auto number = static_cast<unsigned>(code);
  return number < 0x80 ? fmt::format("\\x{:02x}", number) : fmt::format("\\u{:04x}", number);
}

}  // namespace

std::string visible(std::string_view text, std::size_t longest) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    std::string next;
    if (length == 0) {
      next = fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else {
      const char32_t code = utf8_code(text, length);
      next = acts_on_terminals(code) ? spelled(code) : std::string(text.substr(0, length));
    }
    if (next.size() > longest - out.size()) return out + "…";
    out += next;
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

}  // namespace fsieve::base
