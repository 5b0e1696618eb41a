// The table of options as documentation.
#pragma once

#include <string>

namespace fsieve::inline app {

[[nodiscard]] std::string options_markdown();  // docs/options.md
[[nodiscard]] std::string options_json();      // for the Python signatures

}  // namespace fsieve::app
