#include "base/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>

#include "base/name_beside.h"
#include "base/system_error.h"
#include "fsieve/error.h"

namespace fsieve::inline base {
namespace {

constexpr std::string_view mark = "fsieve lock: process ";

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "?";
  return name.data();
}

// What stands in a lock; nothing here asks for memory, since a new lock is nobody's yet.
class LockText {
 public:
  explicit LockText(int descriptor) : size_(::pread(descriptor, text_.data(), text_.size(), 0)) {}

  [[nodiscard]] std::string_view view() const {
    return {text_.data(), static_cast<std::size_t>(size_ > 0 ? size_ : 0)};
  }

 private:
  std::array<char, 512> text_{};
  ssize_t size_;
};

// Is this the file that has the name now? Its last owner may have removed it in the meantime.
bool is_still(const std::string& path, int descriptor) {
  struct stat named {};
  struct stat held {};
  return ::lstat(path.c_str(), &named) == 0 && ::fstat(descriptor, &held) == 0 &&
         named.st_dev == held.st_dev && named.st_ino == held.st_ino;
}

// "process 17", or "process 17 on node3".
std::string owner(std::string_view text) {
  const std::size_t blank = text.find(' ', mark.size());
  const std::size_t end = text.find('\n');
  if (!text.starts_with(mark) || blank == std::string_view::npos || end == std::string_view::npos) {
    return "another process";  // which has not written its number yet
  }
  const std::string_view number = text.substr(mark.size(), blank - mark.size());
  const std::string_view host = text.substr(blank + 1, end - blank - 1);
  return fmt::format("process {}{}", number,
                     host == host_name() ? "" : fmt::format(" on {}", host));
}

int open_lock(const std::string& path, const std::string& name) {
  const int descriptor =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
  if (descriptor < 0) fail_system("cannot be locked", name, errno);
  struct stat status {};
  const LockText text(descriptor);
  const bool ours = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                    (text.view().empty() || text.view().starts_with(mark));
  if (ours) return descriptor;
  ::close(descriptor);
  throw Error(
      fmt::format("{} cannot be locked: {} is no lock of fsieve; name another file", name, path));
}

}  // namespace

FileLock::FileLock(const std::string& path, const std::string& name)
    : path_(name_beside(path, ".fsieve-lock")) {
  const std::string words = fmt::format("{}{} {}\n", mark, ::getpid(), host_name());
  const MakingFile making;
  for (;;) {
    const int descriptor = open_lock(path_, name);
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      const int problem = errno;
      const LockText text(descriptor);
      ::close(descriptor);
      if (problem != EWOULDBLOCK) fail_system("cannot be locked", name, problem);
      throw Error(fmt::format("{} is in use by {}; wait for it, or name another file", name,
                              owner(text.view())));
    }
    if (is_still(path_, descriptor)) {
      descriptor_ = descriptor;
      unfinished_.set(path_);
      break;
    }
    ::close(descriptor);
  }
  // Only words for others: a full disk does not matter here.
  if (::ftruncate(descriptor_, 0) == 0) {
    [[maybe_unused]] const ssize_t written = ::pwrite(descriptor_, words.data(), words.size(), 0);
  }
}

FileLock::~FileLock() {
  const MakingFile undisturbed;  // once it is let go of, the name may be another's
  unfinished_.release();
  ::unlink(path_.c_str());  // while it is still held: whoever waits for it sees that it is gone
  ::close(descriptor_);
}

}  // namespace fsieve::base
