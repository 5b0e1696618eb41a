// The bytes of an input file, readable at any position and any number of times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace fsieve::io {

// Holds the file open, so that a file renamed over it between two passes changes nothing. What
// cannot be read twice (standard input, a pipe) is first copied to a temporary file without a name.
class ByteFile {
 public:
  static std::shared_ptr<const ByteFile> open(const std::string& path);

  ByteFile(const ByteFile&) = delete;
  ByteFile& operator=(const ByteFile&) = delete;
  ~ByteFile();

  // As messages call it.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }

  // Reads up to `count` bytes; fewer only at the end of the file. Safe from several threads.
  std::size_t read_at(std::uint64_t offset, void* out, std::size_t count) const;

  [[nodiscard]] std::string read_start(std::size_t count) const;

  // Throws when the file was written to since it was opened.
  void check_unchanged() const;

 private:
  ByteFile(std::string name, int descriptor);

  std::string name_;
  int descriptor_;
  std::uint64_t size_ = 0;
  std::int64_t modified_s_ = 0;
  std::int64_t modified_ns_ = 0;
};

// Throws the error of a file that is not the same in two passes.
[[noreturn]] void fail_changed(std::string_view name);

}  // namespace fsieve::io
