#include "io/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

#include "fsieve/io.h"
#include "io/system_error.h"

namespace fsieve {
namespace io {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18U;

// The file a path leads to through links, so that a link stays a link.
std::string resolve_links(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(path.c_str(), nullptr),
                                                             &std::free);
  return resolved ? std::string(resolved.get()) : path;
}

int open_again(const std::string& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
}

// What a new file gets. There is no way to ask for the mask without setting it.
mode_t new_file_mode() {
  const mode_t mask = ::umask(022);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path, std::string_view suffix)
    : name_(path == "-" ? "standard output" : path) {
  if (path == "-") {
    descriptor_ = ::dup(STDOUT_FILENO);
    if (descriptor_ < 0) fail_system("cannot be written", name_, errno);
    return;
  }
  target_ = resolve_links(path);
  struct stat status {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail_system("cannot be written", name_, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail_system("cannot be written", name_, errno);
    return;
  }
  if (exists && ::access(target_.c_str(), W_OK) != 0) {
    fail_system("cannot be written", name_, errno);
  }
  std::string temporary = target_ + (suffix.empty() ? ".XXXXXX" : std::string(suffix));
  descriptor_ = suffix.empty() ? ::mkstemp(temporary.data()) : open_again(temporary);
  if (descriptor_ < 0) fail_system("cannot be written", name_, errno);
  temporary_ = std::move(temporary);
  ::fcntl(descriptor_, F_SETFD, FD_CLOEXEC);
  ::fchmod(descriptor_, exists ? status.st_mode & 07777U : new_file_mode());
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBufferBytes) flush();
  if (bytes.size() > kBufferBytes) {
    write_through(bytes);
  } else {
    buffer_ += bytes;
  }
}

void AtomicFile::flush() {
  write_through(buffer_);
  buffer_.clear();
}

void AtomicFile::write_through(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      fail_system("cannot be written", name_, errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit(bool durable) {
  flush();
  if (durable && ::fsync(descriptor_) != 0 && errno != EINVAL) {  // pipes cannot be synced
    fail_system("cannot be written", name_, errno);
  }
  if (::close(std::exchange(descriptor_, -1)) != 0) {
    fail_system("cannot be written", name_, errno);
  }
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) {
    fail_system("cannot be written", name_, errno);
  }
  temporary_.clear();
}

}  // namespace io

void write_file_atomically(const std::string& path, std::string_view text) {
  io::AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace fsieve
