// The order in which people count: x2 stands before x10.
#pragma once

#include <string_view>

namespace fsieve::inline base {

// Runs of digits compare as numbers, everything else byte by byte; names that differ only in
// leading zeros compare as they are written.
[[nodiscard]] bool naturally_before(std::string_view a, std::string_view b);

}  // namespace fsieve::base
