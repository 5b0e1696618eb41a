#include "base/natural_order.h"

#include <cstddef>

namespace fsieve::inline base {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

// The digits at `from`, without leading zeros; `from` moves behind them.
std::string_view number_at(std::string_view text, std::size_t& from) {
  while (from < text.size() && text[from] == '0') ++from;
  const std::size_t begin = from;
  while (from < text.size() && digit(text[from])) ++from;
  return text.substr(begin, from - begin);
}

}  // namespace

bool naturally_before(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      const std::string_view left = number_at(a, i);
      const std::string_view right = number_at(b, j);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
      continue;
    }
    if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
    ++i;
    ++j;
  }
  const std::size_t rest_of_a = a.size() - i;
  const std::size_t rest_of_b = b.size() - j;
  return rest_of_a != rest_of_b ? rest_of_a < rest_of_b : a < b;
}

}  // namespace fsieve::base
