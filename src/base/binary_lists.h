// What binary.h does for numbers, for texts and for lists whose length the reader does not know.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/binary.h"

namespace fsieve::inline base {

// So many at a time are believed in, whatever a damaged count says.
inline constexpr std::size_t loaded_at_once = std::size_t{1} << 16U;

template <class T>
void load_list(std::istream& in, std::vector<T>& values) {
  std::uint64_t count = 0;
  load_value(in, count);
  values.clear();
  while (values.size() < count) {
    const std::size_t done = values.size();
    values.resize(done + std::min<std::size_t>(loaded_at_once, count - done));
    for (std::size_t i = done; i < values.size(); ++i) load_value(in, values[i]);
  }
}

inline void save_text(std::ostream& out, std::string_view text) { save_values(out, text); }

inline std::string load_text(std::istream& in) {
  std::vector<char> text;
  load_list(in, text);
  return {text.begin(), text.end()};
}

inline void save_texts(std::ostream& out, const std::vector<std::string>& texts) {
  save_count(out, texts.size());
  for (const std::string& text : texts) save_text(out, text);
}

// Calls read() as often as the count that stands there says.
template <class Read>
void load_each(std::istream& in, const Read& read) {
  std::uint64_t count = 0;
  load_value(in, count);
  for (std::uint64_t i = 0; i < count; ++i) read();
}

inline std::vector<std::string> load_texts(std::istream& in) {
  std::vector<std::string> texts;
  load_each(in, [&] { texts.push_back(load_text(in)); });
  return texts;
}

inline bool load_flag(std::istream& in) {
  std::uint8_t flag = 0;
  load_value(in, flag);
  return flag != 0;
}

inline void save_flag(std::ostream& out, bool flag) {
  save_value(out, static_cast<std::uint8_t>(flag ? 1 : 0));
}

}  // namespace fsieve::base
