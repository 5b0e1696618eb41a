#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "fsieve/io.h"
#include "io/atomic_file.h"
#include "io/system_error.h"

namespace fsieve {
namespace {

class CheckpointFile final : public Checkpoint {
 public:
  explicit CheckpointFile(std::string path) : path_(std::move(path)) {}

  [[nodiscard]] std::string name() const override { return path_; }

  std::string load() override {
    std::error_code ignored;
    if (!std::filesystem::exists(path_, ignored)) return {};
    std::ifstream file(path_, std::ios::binary);
    if (!file || std::filesystem::is_directory(path_, ignored)) {
      io::fail_system("cannot be read", path_, file ? EISDIR : errno);
    }
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  void save(std::string_view text) override {
    io::AtomicFile file(path_, ".fsieve-part");
    file.write(text);
    file.commit(true);
  }

 private:
  std::string path_;
};

}  // namespace

std::unique_ptr<Checkpoint> checkpoint_file(const std::string& path) {
  return std::make_unique<CheckpointFile>(path);
}

}  // namespace fsieve
