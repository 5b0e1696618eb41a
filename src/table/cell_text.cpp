#include "table/cell_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <system_error>

#include "base/number.h"
#include "base/utf8.h"
#include "table/decimal_comma.h"

namespace fsieve::io::inline table {
namespace {

// "inf", "infinity", "nan" and "nan(...)" in letters of either size, with or without a sign.
bool parse_word(std::string_view text, double& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  return read.ec == std::errc{} && read.ptr == end && !text.empty();
}

// Plain decimals of up to 15 digits, which most cells are: digits and a power of ten that are both
// exact doubles, so that one division rounds right. False leaves the text to leading_number.
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
  text = trim_blanks(text);
  const LeadingNumber read = leading_number(text);
  if (read.length == 0) return parse_word(text, value);
  value = read.value;
  return read.length == text.size();
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
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

CellReader::CellReader(const std::vector<std::string>& na, char decimal)
    : decimal_comma_(decimal == ',') {
  for (const std::string& text : na) {
    na_texts_.emplace(trim_blanks(text));
    double value = 0;
    if (parse(text, value) && !std::isnan(value)) na_numbers_.push_back(value);
  }
}

bool CellReader::parse(std::string_view text, double& value) const {
  if (!decimal_comma_) return parse_number(text, value);
  if (text.find('.') != std::string_view::npos) return false;
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return parse_number(text, value);
  // A second comma is none of a number, and neither is one without digits around it.
  if (comma_number(text) == CommaNumber::none || comma_number(text) == CommaNumber::separated) {
    return false;
  }
  std::string pointed(text);
  pointed[comma] = '.';
  return parse_number(pointed, value);
}

CellKind CellReader::classify(std::string_view text, double& value) const {
  if (parse(text, value)) {
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

}  // namespace fsieve::io::table
