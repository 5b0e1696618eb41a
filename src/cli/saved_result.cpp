#include "cli/saved_result.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <variant>

#include "fsieve/error.h"

namespace fsieve::cli {

SavedResult load_result(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw Error(fmt::format("{}: cannot read: it is a folder", path));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw Error(fmt::format("{}: cannot read: {}", path, std::generic_category().message(errno)));
  }
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return result_from_json(text, path);
}

SavedSelection selection_of(const SavedResult& result) {
  return std::visit(
      [](const auto& held) {
        SavedSelection selection{{}, held.label, held.parameters};
        for (const auto& feature : held.selected) selection.features.push_back(feature.name);
        return selection;
      },
      result);
}

}  // namespace fsieve::cli
