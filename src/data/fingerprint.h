// A short text that tells data or files apart: made to find differences, not to keep secrets.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace fsieve::inline data {

// 128 bits. A difference in one word always shows: each step is one-to-one.
class Fingerprint {
 public:
  void add(std::uint64_t word) {
    first_ = std::rotl((first_ ^ word) * 0x9E3779B97F4A7C15ULL, 29);
    second_ = (std::rotl(second_, 23) + word) * 0xC2B2AE3D27D4EB4FULL;
  }
  void add(std::string_view text) {
    add(text.size());
    for (const char c : text) add(static_cast<unsigned char>(c));
  }
  [[nodiscard]] std::string text() const {
    return fmt::format("{:016x}{:016x}", first_ ^ first_ >> 31U, second_ ^ second_ >> 29U);
  }

 private:
  std::uint64_t first_ = 1;
  std::uint64_t second_ = 2;
};

}  // namespace fsieve::data
