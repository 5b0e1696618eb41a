#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/atomic_file.h"
#include "base/file_identity.h"
#include "base/file_lock.h"
#include "base/system_error.h"
#include "fsieve/error.h"
#include "fsieve/io.h"

namespace fsieve {
namespace {

// Nothing else can be replaced as a whole, and what is no plain file is never removed.
bool is_plain_file(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

std::string checked(const std::string& path) {
  std::string target = linked_file(path);
  struct stat status {};
  if (::stat(target.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    throw Error(fmt::format("checkpoint {} is not a regular file; name another", path));
  }
  return target;
}

class CheckpointFile final : public Checkpoint {
 public:
  explicit CheckpointFile(std::string path)
      : path_(std::move(path)), target_(checked(path_)), lock_(target_, "checkpoint " + path_) {}

  [[nodiscard]] std::string name() const override { return path_; }

  std::string load() override {
    if (!is_plain_file(target_)) return {};
    std::ifstream file(target_, std::ios::binary);
    if (!file) fail_system("cannot be read", path_, errno);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (file.bad()) fail_system("cannot be read", path_, EIO);
    ours_ = ours_ || !text.empty();
    return text;
  }

  void save(std::string_view text) override {
    if (text.empty()) return remove();
    AtomicFile file(target_, ".fsieve-part");
    file.write(text);
    file.commit(true);
    ours_ = true;
  }

 private:
  void remove() {
    if (ours_ && is_plain_file(target_)) ::unlink(target_.c_str());
    ours_ = false;
  }

  std::string path_;
  std::string target_;  // links resolved
  FileLock lock_;
  bool ours_ = false;  // loaded or saved by this run
};

}  // namespace

std::unique_ptr<Checkpoint> checkpoint_file(const std::string& path) {
  return std::make_unique<CheckpointFile>(path);
}

}  // namespace fsieve
