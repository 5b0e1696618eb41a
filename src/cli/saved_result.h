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
  std::vector<std::size_t> indices;   // of these, in the first file
  std::vector<IgnoredColumn> ignored;
  std::optional<std::string> label;
  std::vector<Parameter> parameters;
};

[[nodiscard]] SavedSelection selection_of(const SavedResult& result);

// Those of the names that are one of the globs, or match one.
[[nodiscard]] std::vector<std::string> matching(const std::vector<std::string>& names,
                                                const std::vector<std::string>& globs);

}  // namespace fsieve::cli
