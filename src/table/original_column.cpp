#include "table/original_column.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "table/cell_text.h"

namespace fsieve::io::inline table {

double Number::as_double() const {
  switch (sort) {
    case Sort::real:
      return real;
    case Sort::whole:
      return static_cast<double>(whole);
    case Sort::natural:
      return static_cast<double>(natural);
    case Sort::missing:
      break;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

std::shared_ptr<const OriginalColumn> OriginalColumn::take(
    std::span<const std::size_t> /*rows*/) const {
  throw std::logic_error("rows taken from a column that is not of a file");
}

void append_quoted(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

// Other delimiters are quoted as well, so that the file is not taken for one of theirs.
void append_csv_text(std::string_view text, char delimiter, std::string& out) {
  const bool plain = !text.empty() && text.find_first_of("\"\r\n,;|\t") == std::string_view::npos &&
                     text.find(delimiter) == std::string_view::npos &&
                     trim_blanks(text).size() == text.size();
  if (plain) {
    out += text;
  } else {
    append_quoted(text, out);
  }
}

bool append_json_text(std::string_view text, std::string& out) {
  if (!is_utf8(text)) return false;
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
  return true;
}

void append_csv_number(const Number& number, std::string& out) {
  switch (number.sort) {
    case Number::Sort::real:
      if (!std::isnan(number.real)) append_number(out, number.real);
      return;
    case Number::Sort::whole:
      out += std::to_string(number.whole);
      return;
    case Number::Sort::natural:
      out += std::to_string(number.natural);
      return;
    case Number::Sort::missing:
      return;  // an empty field
  }
}

void append_json_number(const Number& number, std::string& out) {
  const bool none = number.sort == Number::Sort::missing ||
                    (number.sort == Number::Sort::real && !std::isfinite(number.real));
  if (none) {
    out += "null";
  } else {
    append_csv_number(number, out);
  }
}

}  // namespace fsieve::io::table
