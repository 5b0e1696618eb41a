// False and true: words in some formats, in small letters or capitals, 0 and 1 in others. A model
// learned from one of them must know the values of another.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "fsieve/model.h"

namespace fsieve::inline methods {

[[nodiscard]] inline std::optional<bool> truth_of(double number) {
  if (number != 0 && number != 1) return std::nullopt;
  return number == 1;
}

[[nodiscard]] inline std::optional<bool> truth_of(const std::string& text) {
  const auto is = [&](std::string_view word) {
    return std::equal(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) {
      return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
    });
  };
  if (is("false") || is("0")) return false;
  if (is("true") || is("1")) return true;
  return std::nullopt;
}

[[nodiscard]] inline std::optional<bool> truth_of(const ColumnValue& value) {
  return std::visit([](const auto& held) { return truth_of(held); }, value);
}

// Two values that may be false and true.
class TruthPair {
 public:
  template <class Value>
  TruthPair(const Value& first, const Value& second) {
    const std::optional<bool> a = truth_of(first);
    const std::optional<bool> b = truth_of(second);
    if (a && b && *a != *b) second_ = b;
  }

  // Whether `value` means the second of them rather than the first; nothing where it, or the pair,
  // is something else.
  template <class Value>
  [[nodiscard]] std::optional<bool> is_second(const Value& value) const {
    const std::optional<bool> truth = second_ ? truth_of(value) : std::nullopt;
    if (!truth) return std::nullopt;
    return *truth == *second_;
  }

 private:
  std::optional<bool> second_;
};

}  // namespace fsieve::methods
