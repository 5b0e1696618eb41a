// From the words of a command line to an exit code.
#pragma once

#include <string>
#include <vector>

namespace fsieve::cli {

// 0 done, 1 bad data or failed work, 2 wrong usage, 130 interrupted. Anything but 0 has said why on
// standard error.
[[nodiscard]] int run(const std::vector<std::string>& arguments);

}  // namespace fsieve::cli
