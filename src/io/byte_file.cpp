#include "io/byte_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/system_error.h"
#include "fsieve/error.h"

namespace fsieve::io {
namespace {

constexpr std::size_t kCopyBytes = std::size_t{1} << 20U;
constexpr std::size_t kLargestRead = std::size_t{1} << 30U;  // some systems refuse 2 GiB and more

// An open file without a name: the system removes it when the last descriptor goes.
int open_nameless_file() {
  const char* folder = std::getenv("TMPDIR");
  std::string path =
      fmt::format("{}/fsieve-XXXXXX", folder != nullptr && *folder ? folder : "/tmp");
  const int descriptor = ::mkstemp(path.data());
  if (descriptor < 0) fail_system("cannot create a temporary file", path, errno);
  ::unlink(path.c_str());
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return descriptor;
}

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (value_ > STDERR_FILENO) ::close(value_);
  }
  [[nodiscard]] int get() const { return value_; }
  int release() { return std::exchange(value_, -1); }

 private:
  int value_;
};

void write_all(int descriptor, const char* data, std::size_t count) {
  while (count > 0) {
    const ssize_t written = ::write(descriptor, data, count);
    if (written < 0) {
      if (errno == EINTR) continue;
      throw Error(fmt::format("cannot keep the input in a temporary file: {}", system_text(errno)));
    }
    data += written;
    count -= static_cast<std::size_t>(written);
  }
}

int spool(int input, const std::string& name) {
  Descriptor copy(open_nameless_file());
  std::vector<char> buffer(kCopyBytes);
  for (;;) {
    const ssize_t got = ::read(input, buffer.data(), buffer.size());
    if (got == 0) return copy.release();
    if (got < 0) {
      if (errno == EINTR) continue;
      fail_system("cannot be read", name, errno);
    }
    write_all(copy.get(), buffer.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

std::shared_ptr<const ByteFile> ByteFile::open(const std::string& path) {
  const bool standard_input = path == "-";
  const std::string name = standard_input ? "standard input" : path;
  Descriptor input(standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (input.get() < 0) fail_system("cannot be opened", name, errno);
  struct stat status {};
  if (::fstat(input.get(), &status) != 0) fail_system("cannot be read", name, errno);
  if (S_ISDIR(status.st_mode)) throw Error(fmt::format("{}: is a folder, not a file", name));
  const bool plain = S_ISREG(status.st_mode) && !standard_input;
  const int descriptor = plain ? input.release() : spool(input.get(), name);
  return std::shared_ptr<const ByteFile>(new ByteFile(name, descriptor));
}

ByteFile::ByteFile(std::string name, int descriptor)
    : name_(std::move(name)), descriptor_(descriptor) {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail_system("cannot be read", name_, errno);
  size_ = static_cast<std::uint64_t>(status.st_size);
  modified_s_ = status.st_mtim.tv_sec;
  modified_ns_ = status.st_mtim.tv_nsec;
}

ByteFile::~ByteFile() { ::close(descriptor_); }

std::size_t ByteFile::read_at(std::uint64_t offset, void* out, std::size_t count) const {
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got =
        ::pread(descriptor_, static_cast<char*>(out) + done, std::min(count - done, kLargestRead),
                static_cast<off_t>(offset + done));
    if (got == 0) break;
    if (got < 0) {
      if (errno == EINTR) continue;
      fail_system("cannot be read", name_, errno);
    }
    done += static_cast<std::size_t>(got);
  }
  return done;
}

std::string ByteFile::read_start(std::size_t count) const {
  std::string start(count, '\0');
  start.resize(read_at(0, start.data(), count));
  return start;
}

void ByteFile::check_unchanged() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail_system("cannot be read", name_, errno);
  if (static_cast<std::uint64_t>(status.st_size) != size_ || status.st_mtim.tv_sec != modified_s_ ||
      status.st_mtim.tv_nsec != modified_ns_) {
    fail_changed(name_);
  }
}

void fail_changed(std::string_view name) {
  throw Error(fmt::format("{}: the file changed while it was read", name));
}

}  // namespace fsieve::io
