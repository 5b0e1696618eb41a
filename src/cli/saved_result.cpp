#include "cli/saved_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <variant>

#include "fsieve/error.h"
#include "fsieve/model.h"
#include "table/glob.h"

namespace fsieve::cli {

std::string read_text(const std::string& path) {
  if (path == "-") return read_text("/dev/stdin");
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw Error(fmt::format("{}: cannot read: it is a folder", path));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw Error(fmt::format("{}: cannot read: {}", path, std::generic_category().message(errno)));
  }
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

SavedResult load_result(const std::string& path) {
  const std::string text = read_text(path);
  if (is_model(text)) {
    throw Error(
        fmt::format("{}: a model of fsieve learn; it is for fsieve predict and show", path));
  }
  return result_from_json(text, path);
}

SavedSelection selection_of(const SavedResult& result) {
  return std::visit(
      [](const auto& held) {
        SavedSelection selection{{}, {}, held.ignored, held.label, held.parameters};
        for (const auto& feature : held.selected) {
          selection.features.push_back(feature.name);
          selection.indices.push_back(feature.index);
        }
        return selection;
      },
      result);
}

std::vector<std::string> matching(const std::vector<std::string>& names,
                                  const std::vector<std::string>& globs) {
  std::vector<std::string> found;
  std::copy_if(names.begin(), names.end(), std::back_inserter(found), [&](const std::string& name) {
    return std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
      return name == glob || io::Glob(glob).matches(name);
    });
  });
  return found;
}

}  // namespace fsieve::cli
