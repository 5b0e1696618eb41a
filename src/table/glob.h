// Patterns for names: * any text, ? any one byte, [abc] [a-z] [!a] one of a set; all else, a
// bracket that does not close too, stands for itself.
#pragma once

#include <bitset>
#include <string_view>
#include <vector>

namespace fsieve::io::inline table {

class Glob {
 public:
  explicit Glob(std::string_view pattern);

  // In time of at most the product of both lengths.
  [[nodiscard]] bool matches(std::string_view text) const;

 private:
  using Bytes = std::bitset<256>;

  struct Part {
    bool any_text = false;  // else one byte of these
    Bytes bytes;
  };

  std::vector<Part> parts_;
};

}  // namespace fsieve::io::table
