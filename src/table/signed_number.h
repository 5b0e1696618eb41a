// Numbers that are written with a sign of money or of percent: $3.50, -€5, 12 %.
#pragma once

#include <string_view>

namespace fsieve::io::inline table {

// The sign; empty where the text is something else.
[[nodiscard]] std::string_view sign_beside_number(std::string_view text);

}  // namespace fsieve::io::table
