// The file where the stand-in of a device (tests/device) notes what it was asked.
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

namespace fsieve::testing {

// What the stand-in was asked, line by line.
class Notes {
 public:
  Notes()
      : path_(std::filesystem::temp_directory_path() /
              ("fsieve_notes_" + std::to_string(std::random_device()()))) {}
  ~Notes() { std::remove(path_.c_str()); }
  Notes(const Notes&) = delete;
  Notes& operator=(const Notes&) = delete;

  [[nodiscard]] const char* path() const { return path_.c_str(); }
  [[nodiscard]] std::size_t count(const std::string& word) const {
    std::ifstream file(path_);
    std::size_t found = 0;
    for (std::string line; std::getline(file, line);) found += line.starts_with(word + " ") ? 1 : 0;
    return found;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace fsieve::testing
