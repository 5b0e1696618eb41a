// Numbers in text, read alike in every locale.
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>

namespace fsieve::inline base {

// What a text begins with.
struct LeadingNumber {
  double value = 0;
  std::size_t length = 0;  // 0: no number
};

// Digits with at most one point, and perhaps a sign before and a power of ten (e-7) behind them.
// Nothing else is a number: no blanks, no "nan", no "inf", no 0x10 (which begins with a 0). What is
// too small for a double gives the nearest one, a subnormal number or 0; what is too large gives
// infinity.
[[nodiscard]] LeadingNumber leading_number(std::string_view text);

// The number that the whole text is; nothing where it is not one, or too large.
[[nodiscard]] std::optional<double> number_in(std::string_view text);

// Digits, and perhaps a sign: nothing where there is anything else, or where T cannot hold it.
template <std::integral T>
[[nodiscard]] std::optional<T> whole_number_in(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  T value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace fsieve::base
