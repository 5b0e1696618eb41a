#include "base/shell_word.h"

#include <algorithm>

#include "base/shown_text.h"

namespace fsieve::inline base {
namespace {

bool is_plain(char c) {
  constexpr std::string_view kPlain = "_-./:,=+@%";
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         kPlain.find(c) != std::string_view::npos;
}

}  // namespace

std::string shell_word(std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return std::string(word);
  std::string text(1, '\'');  // assigning a literal makes GCC 12 warn
  for (const char c : word) {
    if (c == '\'') {
      text += "'\\''";
    } else {
      text += c;
    }
  }
  text += '\'';
  return text;
}

std::string typed_name(std::string_view name) {
  std::string text;
  for (const char c : shown(name)) {
    if (c == ',') text += '\\';
    text += c;
  }
  return shell_word(text);
}

}  // namespace fsieve::base
