#include "io/input_files.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/stop.h"
#include "fsieve/error.h"
#include "io/file_format.h"

namespace fsieve::io {
namespace {

namespace fs = std::filesystem;

bool is_table(const std::string& path) {
  static constexpr std::array<std::string_view, 9> extensions{
      "csv", "tsv", "parquet", "pq", "feather", "arrow", "arrows", "ipc", "npy"};
  return std::find(extensions.begin(), extensions.end(), data_extension(path)) != extensions.end();
}

// Engines put marks and check sums beside the data: _SUCCESS, _metadata, .part-0.crc.
bool is_mark(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with('.') || name.starts_with('_');
}

std::vector<std::string> files_in(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    stop_if_asked();
    std::error_code unreadable;
    if (at->is_regular_file(unreadable) && !is_mark(at->path())) {
      files.push_back(at->path().string());
    }
  }
  if (error) throw Error(fmt::format("{}: cannot be read: {}", folder, error.message()));
  // Other things may lie beside tables; but where nothing is called a table all are (Dask's
  // 0.part).
  if (std::any_of(files.begin(), files.end(), is_table)) {
    std::erase_if(files, [](const std::string& file) { return !is_table(file); });
  }
  if (files.empty()) {
    throw Error(
        fmt::format("{}: the folder has no tables in it (its own folders are not read)", folder));
  }
  return files;
}

bool is_pattern(const std::string& path) { return path.find_first_of("*?[") != std::string::npos; }

std::vector<std::string> files_like(const std::string& pattern) {
  ::glob_t found{};
  const int status = ::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
  std::vector<std::string> files(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  if (status == GLOB_NOSPACE) throw std::bad_alloc();
  std::erase_if(files, [](const std::string& file) {
    std::error_code unreadable;
    return fs::is_directory(file, unreadable);
  });
  if (files.empty()) throw Error(fmt::format("{}: no file is like this", pattern));
  return files;
}

// The files of a data set; none where the path is a single file.
std::vector<std::string> members_of(const std::string& path) {
  if (path == "-") return {};
  std::error_code unreadable;
  const fs::file_status status = fs::status(path, unreadable);
  if (fs::is_directory(status)) return files_in(path);
  if (!fs::exists(status) && is_pattern(path)) return files_like(path);
  return {};
}

}  // namespace

InputFiles InputFiles::open(const std::string& path) {
  InputFiles files;
  std::vector<std::string> members = members_of(path);
  if (members.empty()) {
    files.parts_.push_back(ByteFile::open(path));
    files.name_ = files.parts_.front()->name();
    return files;
  }
  files.name_ = path;
  std::sort(members.begin(), members.end());
  for (const std::string& member : members) {
    stop_if_asked();
    auto part = ByteFile::open(member);
    if (part->size() > 0) files.parts_.push_back(std::move(part));
  }
  if (files.parts_.empty()) throw Error(fmt::format("{}: all files are empty", path));
  return files;
}

std::uint64_t InputFiles::size() const {
  std::uint64_t size = 0;
  for (const auto& part : parts_) size += part->size();
  return size;
}

void InputFiles::check_unchanged() const {
  for (const auto& part : parts_) part->check_unchanged();
}

}  // namespace fsieve::io
