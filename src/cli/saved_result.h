// A result that was saved to a file.
#pragma once

#include <string>

#include "fsieve/result.h"

namespace fsieve::cli {

// Throws Error, naming the file, when it cannot be read or is no result.
[[nodiscard]] ReduceResult load_result(const std::string& path);

}  // namespace fsieve::cli
