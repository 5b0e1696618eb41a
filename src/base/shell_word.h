// Words as a person types them into a shell.
#pragma once

#include <string>
#include <string_view>

namespace fsieve::inline base {

// In quotes where a shell would take it apart: 'customer id'.
[[nodiscard]] std::string shell_word(std::string_view word);

// A name of a column as the value of an option that takes a list: its commas are no separators.
[[nodiscard]] std::string typed_name(std::string_view name);

}  // namespace fsieve::base
