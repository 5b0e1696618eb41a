#include "table/glob.h"

#include <cstddef>
#include <optional>

namespace fsieve::io::inline table {
namespace {

using Bytes = std::bitset<256>;

std::size_t place(char c) { return static_cast<unsigned char>(c); }

// The set at the start of `pattern`, which is then without it; nothing where it does not close.
std::optional<Bytes> take_set(std::string_view& pattern) {
  std::size_t i = 1;
  const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (negated) ++i;
  Bytes bytes;
  for (bool first = true; i < pattern.size(); first = false) {
    if (pattern[i] == ']' && !first) {
      pattern.remove_prefix(i + 1);
      return negated ? ~bytes : bytes;
    }
    if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
      for (std::size_t c = place(pattern[i]); c <= place(pattern[i + 2]); ++c) bytes.set(c);
      i += 3;
    } else {
      bytes.set(place(pattern[i]));
      i += 1;
    }
  }
  return std::nullopt;
}

}  // namespace

Glob::Glob(std::string_view pattern) {
  bool sets_close = true;  // once one does not, none behind it does
  while (!pattern.empty()) {
    const char c = pattern[0];
    if (c == '[' && sets_close) {
      if (const auto bytes = take_set(pattern)) {
        parts_.push_back({false, *bytes});
        continue;
      }
      sets_close = false;
    }
    pattern.remove_prefix(1);
    if (c == '*') {
      if (parts_.empty() || !parts_.back().any_text) parts_.push_back({true, {}});
    } else {
      parts_.push_back({false, c == '?' ? ~Bytes() : Bytes().set(place(c))});
    }
  }
}

// Only the last * seen is ever tried again: what an earlier one could still take, it can take too.
bool Glob::matches(std::string_view text) const {
  std::size_t part = 0;
  std::size_t at = 0;
  std::optional<std::size_t> after_star;  // the part behind the last *
  std::size_t star_end = 0;               // how far that * reaches
  while (at < text.size() || part < parts_.size()) {
    if (part < parts_.size() && parts_[part].any_text) {
      after_star = ++part;
      star_end = at;
    } else if (part < parts_.size() && at < text.size() && parts_[part].bytes[place(text[at])]) {
      ++part;
      ++at;
    } else if (after_star && star_end < text.size()) {
      part = *after_star;
      at = ++star_end;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace fsieve::io::table
