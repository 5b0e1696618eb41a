// Text of a file as it may stand in a one-line message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/visible.h"

namespace fsieve::inline base {

// What a terminal would act on is spelled out, and long text is cut.
inline std::string shown(std::string_view text) {
  constexpr std::size_t longest = 60;
  return visible(text, longest);
}

}  // namespace fsieve::base
