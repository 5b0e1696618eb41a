#include "base/file_identity.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/system_error.h"

namespace fsieve::inline base {
namespace {

namespace fs = std::filesystem;

std::optional<struct stat> status_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

bool same_inode(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

std::string folder_of(const fs::path& path) {
  const fs::path folder = path.parent_path();
  return folder.empty() ? "." : folder.string();
}

}  // namespace

std::string linked_file(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(path.c_str(), nullptr),
                                                             &std::free);
  if (resolved) return resolved.get();
  if (errno == ELOOP) fail_system("cannot be written", path, ELOOP);
  if (status_of(path)) return path;  // /dev/stdout, when it is a pipe
  fs::path at = path;
  std::error_code no_link;
  for (int hop = 0; hop < 40; ++hop) {  // as many as Linux follows
    const fs::path next = fs::read_symlink(at, no_link);
    if (no_link) break;
    at = at.parent_path() / next;
  }
  return at.string();
}

bool same_file(const std::string& a, const std::string& b) {
  const fs::path first = linked_file(a);
  const fs::path second = linked_file(b);
  const auto first_status = status_of(first);
  const auto second_status = status_of(second);
  if (first_status && second_status) return same_inode(*first_status, *second_status);
  if (first_status || second_status || first.filename() != second.filename()) return false;
  const auto first_folder = status_of(folder_of(first));
  const auto second_folder = status_of(folder_of(second));
  return first_folder && second_folder && same_inode(*first_folder, *second_folder);
}

}  // namespace fsieve::base
