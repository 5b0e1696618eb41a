// What the fuzz targets share. A target gives some bytes to a reader and says what must hold: the
// bytes are refused with an fsieve::Error, or read as something that stays the same when it is
// written and read again. Any other exception, a failed expectation, and whatever a sanitizer finds
// end the program.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "fsieve/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fsieve::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

inline void expect(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "expected: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

// Whether `work` ran to its end; false: it threw an Error.
template <typename Work>
bool accepted(const Work& work) {
  try {
    work();
    return true;
  } catch (const Error& error) {
    expect(*error.what() != '\0', "an error says something");
    return false;
  }
}

// A file of its own for each process, that holds one input after another.
class InputFile {
 public:
  explicit InputFile(std::string_view extension) {
    std::string pattern = (std::filesystem::temp_directory_path() / "fsieve-fuzz-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    path_ = folder_ / ("input." + std::string(extension));
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::string hold(std::string_view bytes) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
    return path_;
  }

 private:
  std::filesystem::path folder_;
  std::filesystem::path path_;
};

}  // namespace fsieve::fuzz
