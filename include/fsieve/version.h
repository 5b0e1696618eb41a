// Which fsieve this is, and what it runs on.
#pragma once

#include <string>

namespace fsieve {

[[nodiscard]] std::string version();     // "0.1.0"
[[nodiscard]] std::string build_info();  // several lines: BLAS and its kernel, SIMD target

}  // namespace fsieve
