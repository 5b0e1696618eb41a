// Which instructions the kernels run with: the best this machine has, or those that the environment
// variable FSIEVE_SIMD names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fsieve::simd {

// The sets this machine has and the kernels are compiled for, best first, as FSIEVE_SIMD names
// them: "avx3_dl", "avx3", "avx2", "sse4", "ssse3", and "portable", which every machine has.
[[nodiscard]] std::vector<std::string> available();

// The set the kernels run with. A kernel that is not compiled for it runs with the next worse one.
[[nodiscard]] std::string chosen();

// Makes all kernels of the process run with this set. Not while one of them runs. Throws
// Error(usage) where this machine does not have it.
void choose(std::string_view name);

// Obeys FSIEVE_SIMD, the first time it is called. Throws Error(usage) each time where that names
// nothing this machine has.
void obey_environment();

}  // namespace fsieve::simd
