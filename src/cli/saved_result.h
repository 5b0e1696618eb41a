// A result that was saved to a file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fsieve/result.h"

namespace fsieve::cli {

// The whole file. Throws Error, naming it, when it cannot be read.
[[nodiscard]] std::string read_text(const std::string& path);

// Throws Error, naming the file, when it cannot be read or is no result.
[[nodiscard]] SavedResult load_result(const std::string& path);

// What other files need of it.
struct SavedSelection {
  std::vector<std::string> features;  // in the order of the result
  std::optional<std::string> label;
  std::vector<Parameter> parameters;
};

[[nodiscard]] SavedSelection selection_of(const SavedResult& result);

}  // namespace fsieve::cli
