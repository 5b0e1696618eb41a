#include "base/number.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace fsieve::inline base {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The power of ten of the first digit that is not 0, for a number that no double can hold:
// std::from_chars says the same of 1e999 and 1e-999.
std::int64_t leading_power(std::string_view number) {
  const std::size_t exponent_at = number.find_first_of("eE");
  const std::string_view digits = number.substr(0, exponent_at);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t first = digits.find_first_of("123456789");
  const auto place =
      static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) - (first < point ? 1 : 0);
  if (exponent_at == std::string_view::npos) return place;
  const std::string_view exponent = number.substr(exponent_at + 1);
  // No text is long enough to outweigh an exponent of 20 digits.
  const std::int64_t beyond = std::numeric_limits<std::int64_t>::max() / 2;
  return place +
         whole_number_in<std::int64_t>(exponent).value_or(exponent[0] == '-' ? -beyond : beyond);
}

}  // namespace

LeadingNumber leading_number(std::string_view text) {
  const char sign = !text.empty() && (text[0] == '+' || text[0] == '-') ? text[0] : '\0';
  const std::string_view number = text.substr(sign != '\0' ? 1 : 0);
  // std::from_chars would also read words and a second sign.
  if (number.empty() || !(is_digit(number[0]) || number[0] == '.')) return {};
  LeadingNumber read;
  const auto [stop, problem] =
      std::from_chars(number.data(), number.data() + number.size(), read.value);
  if (problem == std::errc::invalid_argument) return {};
  read.length = static_cast<std::size_t>(stop - text.data());
  if (problem == std::errc::result_out_of_range) {
    const auto used = static_cast<std::size_t>(stop - number.data());
    const bool large = leading_power(number.substr(0, used)) > 0;
    read.value = large ? std::numeric_limits<double>::infinity() : 0;
  }
  if (sign == '-') read.value = -read.value;
  return read;
}

std::optional<double> number_in(std::string_view text) {
  const LeadingNumber read = leading_number(text);
  if (read.length == 0 || read.length != text.size() || !std::isfinite(read.value)) {
    return std::nullopt;
  }
  return read.value;
}

}  // namespace fsieve::base
