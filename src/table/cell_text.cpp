#include "table/cell_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <system_error>

namespace fsieve::io {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// std::from_chars says "out of range" for both 1e999 and 1e-999 and gives no value.
double out_of_range_value(std::string_view text) {
  const std::size_t exponent = text.find_first_of("eE");
  bool tiny = false;
  if (exponent != std::string_view::npos) {
    tiny = exponent + 1 < text.size() && text[exponent + 1] == '-';
  } else {
    tiny = text.find('.') < 300;
  }
  const double size = tiny ? 0.0 : kInfinity;
  return text[0] == '-' ? -size : size;
}

// Plain decimals of up to 15 digits, which most cells are: digits and a power of ten that are both
// exact doubles, so that one division rounds right. False leaves the text to std::from_chars.
bool parse_short_decimal(std::string_view text, double& value) {
  static constexpr std::array<double, 16> powers{1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  constexpr std::size_t most_digits = 15;
  const bool negative = !text.empty() && text[0] == '-';
  std::size_t i = negative ? 1 : 0;
  if (text.size() - i > most_digits + 1) return false;
  std::int64_t number = 0;
  std::size_t digits = 0;
  std::size_t decimals = 0;
  bool point = false;
  for (; i < text.size(); ++i) {
    const unsigned digit = static_cast<unsigned char>(text[i]) - unsigned{'0'};
    if (digit < 10) {
      number = number * 10 + digit;
      ++digits;
      decimals += point ? 1 : 0;
    } else if (text[i] == '.' && !point) {
      point = true;
    } else {
      return false;
    }
  }
  if (digits == 0 || digits > most_digits) return false;
  const double size = static_cast<double>(number) / powers[decimals];
  value = negative ? -size : size;
  return true;
}

}  // namespace

std::string_view trim_blanks(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

bool parse_number(std::string_view text, double& value) {
  if (parse_short_decimal(text, value)) return true;
  const auto whole = [&value](std::string_view digits, std::errc& error) {
    const char* const end = digits.data() + digits.size();
    const auto result = std::from_chars(digits.data(), end, value);
    error = result.ec;
    return result.ptr == end && !digits.empty();
  };
  std::errc error{};
  if (whole(text, error) && error == std::errc{}) return true;
  text = trim_blanks(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  if (!whole(text, error)) return false;
  if (error == std::errc::result_out_of_range) value = out_of_range_value(text);
  return error == std::errc{} || error == std::errc::result_out_of_range;
}

void append_number(std::string& out, double value) {
  std::array<char, 32> buffer;
  if (value == 0) value = 0;  // no "-0"
  const double size = std::fabs(value);
  // The shortest form of 100000 is "1e+05"; whole numbers are better written out.
  const bool whole = size < 1e15 && value == std::floor(value);
  const auto end =
      whole ? std::to_chars(buffer.begin(), buffer.end(), static_cast<std::int64_t>(value))
            : std::to_chars(buffer.begin(), buffer.end(), value);
  out.append(buffer.data(), end.ptr);
}

std::string number_text(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

bool is_utf8(std::string_view text) {
  std::size_t i = 0;
  const auto continued = [&](std::size_t at, unsigned low, unsigned high) {
    if (at >= text.size()) return false;
    const auto byte = static_cast<unsigned char>(text[at]);
    return byte >= low && byte <= high;
  };
  while (i < text.size()) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) {
      i += 1;
    } else if (lead >= 0xC2 && lead <= 0xDF) {
      if (!continued(i + 1, 0x80, 0xBF)) return false;
      i += 2;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
      const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
      const unsigned high = lead == 0xED ? 0x9F : 0xBF;
      if (!continued(i + 1, low, high) || !continued(i + 2, 0x80, 0xBF)) return false;
      i += 3;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
      const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
      const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
      if (!continued(i + 1, low, high) || !continued(i + 2, 0x80, 0xBF) ||
          !continued(i + 3, 0x80, 0xBF)) {
        return false;
      }
      i += 4;
    } else {
      return false;
    }
  }
  return true;
}

CellReader::CellReader(const std::vector<std::string>& na) {
  for (const std::string& text : na) {
    na_texts_.emplace(trim_blanks(text));
    double value = 0;
    if (parse_number(text, value) && !std::isnan(value)) na_numbers_.push_back(value);
  }
}

CellKind CellReader::classify(std::string_view text, double& value) const {
  if (parse_number(text, value)) {
    if (std::isnan(value)) return is_missing_text(text) ? CellKind::missing : CellKind::nan;
    return !na_numbers_.empty() && is_missing(value) ? CellKind::missing : CellKind::number;
  }
  text = trim_blanks(text);
  if (text.empty() || is_missing_text(text)) return CellKind::missing;
  return CellKind::text;
}

bool CellReader::is_missing_text(std::string_view text) const {
  return !na_texts_.empty() && na_texts_.count(std::string(trim_blanks(text))) > 0;
}

}  // namespace fsieve::io
