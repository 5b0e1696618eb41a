// Expressions in a and b, as `--function` takes them.
#pragma once

#include <string>
#include <string_view>

namespace fsieve::inline basis {

// The text with the letters a and b, where they stand for features, replaced.
[[nodiscard]] std::string with_arguments(std::string_view text, std::string_view a,
                                         std::string_view b);

}  // namespace fsieve::basis
