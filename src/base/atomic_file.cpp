#include "base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/file_identity.h"
#include "base/name_beside.h"
#include "base/system_error.h"

namespace fsieve::inline base {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18U;

// A name that no other run and no other file of this run has.
std::string unused_suffix() {
  static std::atomic<unsigned> count{0};
  return fmt::format(".fsieve-{}-{}", ::getpid(), count++);
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path, std::string_view suffix)
    : name_(path == "-" ? "standard output" : path) {
  if (path == "-") {
    descriptor_ = ::dup(STDOUT_FILENO);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  target_ = linked_file(path);
  open_target(suffix);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  forget_old();
}

void AtomicFile::open_target(std::string_view suffix) {
  struct stat status {};
  replaces_ = ::stat(target_.c_str(), &status) == 0;
  if (replaces_ && S_ISDIR(status.st_mode)) fail(EISDIR);
  if (replaces_ && !S_ISREG(status.st_mode)) return open_directly();
  if (replaces_ && ::access(target_.c_str(), W_OK) != 0) fail(errno);
  const mode_t mode = replaces_ ? status.st_mode & 07777U : 0666U;
  open_temporary(suffix, mode);
  if (replaces_) ::fchmod(descriptor_, mode);  // what the mask of the process took away
}

void AtomicFile::open_directly() {
  replaces_ = false;
  descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor_ < 0) fail(errno);
}

void AtomicFile::open_temporary(std::string_view suffix, mode_t mode) {
  // Nobody else's file is written to, and a name in use that is no plain file is left alone.
  const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK |
                    (suffix.empty() ? O_EXCL : O_TRUNC);
  std::string temporary;
  const MakingFile making;
  do {
    temporary = name_beside(target_, suffix.empty() ? unused_suffix() : std::string(suffix));
    descriptor_ = ::open(temporary.c_str(), flags, mode & 0777U);
  } while (descriptor_ < 0 && errno == EEXIST && suffix.empty());
  if (descriptor_ < 0) fail(errno);
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(std::exchange(descriptor_, -1));
    fail(EEXIST);
  }
  temporary_ = std::move(temporary);
  unfinished_.set(temporary_);
  device_ = status.st_dev;
  inode_ = status.st_ino;
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
      fail(errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::stage(bool durable) {
  if (descriptor_ < 0) return;
  flush();
  // Where nothing is replaced nothing can be lost, and waiting for the disk is the user's choice.
  if ((durable || replaces_) && ::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP) {
    fail(errno);
  }
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
}

void AtomicFile::commit(bool durable) {
  stage(durable);
  if (!temporary_.empty()) rename_to_target();
}

void AtomicFile::replace() {
  if (temporary_.empty()) return;
  if (replaces_) keep_old();
  rename_to_target();
}

void AtomicFile::keep_old() {
  int linked = -1;
  do {
    old_ = name_beside(target_, unused_suffix());
    linked = ::link(target_.c_str(), old_.c_str());
  } while (linked != 0 && errno == EEXIST);
  if (linked != 0) copy_old();  // not every file system has links
  old_kept_ = true;
}

void AtomicFile::copy_old() const {
  std::error_code problem;
  if (std::filesystem::copy_file(target_, old_, problem)) return;
  if (problem != std::errc::file_exists) ::unlink(old_.c_str());
  fail(problem.value());
}

void AtomicFile::rename_to_target() {
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  unfinished_.release();
  temporary_.clear();
}

bool AtomicFile::put_back() noexcept {
  if (target_.empty() || !temporary_.empty() || !target_is_ours()) return true;
  if (!replaces_) return ::unlink(target_.c_str()) == 0;
  old_kept_ = false;  // back in its place, or kept for the user to find
  return std::rename(old_.c_str(), target_.c_str()) == 0;
}

void AtomicFile::forget_old() noexcept {
  if (old_kept_) ::unlink(old_.c_str());
  old_kept_ = false;
}

// Another program may have put its own there in the meantime.
bool AtomicFile::target_is_ours() const noexcept {
  struct stat status {};
  return ::lstat(target_.c_str(), &status) == 0 && status.st_dev == device_ &&
         status.st_ino == inode_;
}

void AtomicFile::fail(int error) const { fail_system("cannot be written", name_, error); }

}  // namespace fsieve::base
