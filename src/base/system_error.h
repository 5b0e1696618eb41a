// Errors of the operating system in our words.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <system_error>

#include "fsieve/error.h"

namespace fsieve::inline base {

// "no such file or directory"
inline std::string system_text(int error) {
  std::string text = std::generic_category().message(error);
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] += 'a' - 'A';
  return text;
}

// "cars.csv: cannot be opened: no such file or directory"
[[noreturn]] inline void fail_system(std::string_view what, std::string_view name, int error) {
  throw Error(fmt::format("{}: {}: {}", name, what, system_text(error)));
}

}  // namespace fsieve::base
