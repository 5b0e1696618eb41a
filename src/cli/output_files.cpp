#include "cli/output_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "fsieve/error.h"
#include "fsieve/io.h"

namespace fsieve::cli {
namespace {

// What write_table knows.
constexpr std::array<std::string_view, 11> kExtensions{
    ".csv",     ".tsv",     ".csv.gz", ".csv.zst", ".tsv.gz", ".tsv.zst",
    ".parquet", ".feather", ".arrow",  ".npy",     ".json"};

bool ends_with_any_case(std::string_view text, std::string_view end) {
  return text.size() > end.size() &&
         std::equal(
             end.begin(), end.end(), text.end() - static_cast<std::ptrdiff_t>(end.size()),
             [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

}  // namespace

void check_table_name(const std::string& path) {
  const bool known = std::any_of(kExtensions.begin(), kExtensions.end(), [&](std::string_view end) {
    return ends_with_any_case(path, end);
  });
  if (!known) {
    throw Error(
        fmt::format("-o {}: the extension must be one of {}", path, fmt::join(kExtensions, " ")),
        Error::Kind::usage);
  }
}

void check_folder(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code problem;
  fs::path folder = fs::path(path).parent_path();
  if (folder.empty()) folder = ".";
  if (!fs::is_directory(folder, problem)) {
    throw Error(fmt::format("{}: cannot write: there is no folder {}", path, folder.string()));
  }
  if (fs::is_directory(path, problem)) {
    throw Error(fmt::format("{}: cannot write: it is a folder", path));
  }
  if (::access(folder.c_str(), W_OK) != 0) {
    throw Error(fmt::format("{}: cannot write: {}", path, std::generic_category().message(errno)));
  }
}

OutputFiles::~OutputFiles() {
  std::error_code ignored;  // already on the way out with an error
  for (const std::string& path : written_) {
    // A pipe or a device is not ours to remove.
    if (std::filesystem::is_regular_file(path, ignored)) std::filesystem::remove(path, ignored);
  }
}

void OutputFiles::table(const std::string& path, const Source& source,
                        const std::vector<std::size_t>& columns, Progress& progress) {
  write_table(path, source, columns, progress);
  written_.push_back(path);
}

void OutputFiles::text(const std::string& path, std::string_view content) {
  write_file_atomically(path, content);
  written_.push_back(path);
}

}  // namespace fsieve::cli
