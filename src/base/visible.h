// Text of others (names, cells, files) as it may be shown: what a terminal would act on is spelled
// out instead.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fsieve::inline base {

// Control characters (C0, DEL, C1), line separators and what changes the direction of writing
// become \n, \t, \x1b, \u009b or \u202e; bytes that are no UTF-8 become \xff. Where the result
// would be longer than `longest` bytes it is cut, and ends with "…".
[[nodiscard]] std::string visible(std::string_view text, std::size_t longest = std::string::npos);

}  // namespace fsieve::base
