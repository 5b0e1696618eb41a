// Which fsieve this is, and what it runs on.
#pragma once

#include <string>

namespace fsieve {

[[nodiscard]] std::string version();     // "0.1.0"
[[nodiscard]] std::string build_info();  // several lines: BLAS and its kernel, SIMD target

// Of the JSON that is written, and the oldest that is read.
inline constexpr int json_schema = 2;
inline constexpr int oldest_json_schema = 1;

}  // namespace fsieve
