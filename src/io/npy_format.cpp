#include "io/npy_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "base/shown_text.h"
#include "fsieve/error.h"
#include "table/cell_text.h"
#include "table/table_limits.h"

namespace fsieve::io {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kLongestHeader = std::size_t{1} << 20U;

[[noreturn]] void fail_damaged(const ByteFile& file) {
  throw Error(fmt::format("{}: not a NumPy file, or a damaged one", file.name()));
}

// The text of the header's dictionary, and where the numbers begin.
std::string dictionary_text(const ByteFile& file, std::uint64_t& data_offset) {
  const std::string start = file.read_start(12);
  if (start.size() < 10 || !start.starts_with(kMagic)) fail_damaged(file);
  const auto byte = [&](std::size_t i) {
    return std::size_t{static_cast<unsigned char>(start.at(i))};
  };
  const std::size_t version = byte(6);
  if (version < 1 || version > 3) fail_damaged(file);
  if (version > 1 && start.size() < 12) fail_damaged(file);
  std::size_t length = byte(8) | byte(9) << 8U;
  if (version > 1) length |= byte(10) << 16U | byte(11) << 24U;
  const std::size_t offset = version == 1 ? 10 : 12;
  if (length > kLongestHeader) fail_damaged(file);
  std::string text(length, ' ');
  if (file.read_at(offset, text.data(), length) != length) fail_damaged(file);
  data_offset = offset + length;
  return text;
}

// What follows `'key':`, without leading blanks.
std::string_view value_of(const ByteFile& file, std::string_view text, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const std::size_t at = text.find(fmt::format("{0}{1}{0}", quote, key));
    if (at == std::string_view::npos) continue;
    const std::size_t colon = text.find(':', at);
    const std::size_t value = text.find_first_not_of(" \t", colon + 1);
    if (colon == std::string_view::npos || value == std::string_view::npos) break;
    return text.substr(value);
  }
  fail_damaged(file);
}

// The whole of `text` as a number; 0 when it is anything else.
std::uint64_t whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && last == end ? value : 0;
}

void read_type(const ByteFile& file, std::string_view text, NpyHeader& header) {
  const std::string_view value = value_of(file, text, "descr");
  if (value[0] == '[') {
    throw Error(fmt::format("{}: a structured NumPy array is not a table of numbers", file.name()));
  }
  const std::size_t end = value.find(value[0], 1);
  if ((value[0] != '\'' && value[0] != '"') || end == std::string_view::npos || end < 3) {
    fail_damaged(file);
  }
  std::string_view type = value.substr(1, end - 1);
  const bool little = std::endian::native == std::endian::little;
  header.swapped = type[0] == (little ? '>' : '<');
  const std::string_view full = type;
  if (std::string_view("<>|=").find(type[0]) != std::string_view::npos) type.remove_prefix(1);
  header.kind = type.empty() ? '?' : type[0];
  if (!type.empty()) type.remove_prefix(1);
  const std::size_t size = header.item_size = whole_number(type);
  const bool whole = size == 1 || size == 2 || size == 4 || size == 8;
  const bool known = (header.kind == 'f' && whole && size > 1) ||
                     (header.kind == 'b' && size == 1) ||
                     ((header.kind == 'i' || header.kind == 'u') && whole);
  if (!known) {
    throw Error(
        fmt::format("{}: NumPy arrays of type {} are not supported (numbers of at most 64 "
                    "bits and booleans are)",
                    file.name(), shown(full)));
  }
}

// "(60, 4)" or "(60,)".
std::vector<std::uint64_t> read_sizes(const ByteFile& file, std::string_view value) {
  const std::size_t end = value.find(')');
  if (value[0] != '(' || end == std::string_view::npos) fail_damaged(file);
  const std::string_view shape = value.substr(0, end + 1);
  std::string_view rest = shape.substr(1, end - 1);
  std::vector<std::uint64_t> sizes;
  while (!trim_blanks(rest).empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    std::string_view size = trim_blanks(rest.substr(0, comma));
    if (size.ends_with('L')) size.remove_suffix(1);  // as Python 2 wrote it
    const bool zero = !size.empty() && size.find_first_not_of('0') == std::string_view::npos;
    sizes.push_back(zero ? 0 : whole_number(size));
    if (!zero && sizes.back() == 0) {
      throw Error(fmt::format("{}: a damaged NumPy file (its header says that the shape is {})",
                              file.name(), shown(shape)));
    }
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return sizes;
}

void read_shape(const ByteFile& file, std::string_view text, NpyHeader& header) {
  const std::vector<std::uint64_t> shape = read_sizes(file, value_of(file, text, "shape"));
  if (shape.empty() || shape.size() > 2) {
    throw Error(fmt::format("{}: the array has {} dimensions, a table has one or two", file.name(),
                            shape.size()));
  }
  header.rows = shape[0];
  header.columns = shape.size() == 2 ? shape[1] : 1;
  if (header.rows == 0) throw Error(fmt::format("{}: no data rows", file.name()));
  if (header.columns == 0) throw Error(fmt::format("{}: the array has no columns", file.name()));
  if (header.columns > kMostColumns) fail_too_many_columns(file.name());
}

bool read_order(const ByteFile& file, std::string_view text) {
  const std::string_view value = value_of(file, text, "fortran_order");
  if (!value.starts_with("True") && !value.starts_with("False")) fail_damaged(file);
  return value.starts_with("True");
}

}  // namespace

NpyHeader read_npy_header(const ByteFile& file) {
  NpyHeader header;
  const std::string text = dictionary_text(file, header.data_offset);
  read_type(file, text, header);
  read_shape(file, text, header);
  header.fortran_order = read_order(file, text);
  // Divided, not multiplied: a damaged shape must not overflow.
  const std::uint64_t available = (file.size() - header.data_offset) / header.item_size;
  if (header.rows > available / header.columns) {
    throw Error(fmt::format("{}: the file is truncated (its header promises {} rows of {} columns)",
                            file.name(), header.rows, header.columns));
  }
  return header;
}

std::string npy_header_text(NumberType type, std::uint64_t rows, std::uint64_t columns) {
  const char order = type.size == 1 ? '|' : std::endian::native == std::endian::little ? '<' : '>';
  std::string text =
      fmt::format("{{'descr': '{}{}{}', 'fortran_order': False, 'shape': ({}, {}), }}", order,
                  type.kind, type.size, rows, columns);
  constexpr std::size_t prefix = 10;
  constexpr std::size_t alignment = 64;  // the numbers begin at a multiple of this
  while ((prefix + text.size() + 1) % alignment != 0) text += ' ';
  text += '\n';
  std::string header(kMagic);
  header += '\x01';
  header += '\x00';
  header += static_cast<char>(text.size() & 0xFFU);
  header += static_cast<char>(text.size() >> 8U);
  return header + text;
}

}  // namespace fsieve::io
