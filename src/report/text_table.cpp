#include "report/text_table.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace fsieve::inline report {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kGap = 2;

struct Character {
  std::size_t bytes = 1;
  std::size_t width = 1;
};

// Good enough for tables: the large blocks of wide and of combining characters.
std::size_t code_width(char32_t code) {
  if (code >= 0x300 && code <= 0x36F) return 0;
  if (code == 0x200B || code == 0x200D || (code >= 0xFE00 && code <= 0xFE0F)) return 0;
  const bool wide = (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF) ||
                    (code >= 0xAC00 && code <= 0xD7A3) || (code >= 0xF900 && code <= 0xFAFF) ||
                    (code >= 0xFE30 && code <= 0xFE6F) || (code >= 0xFF00 && code <= 0xFF60) ||
                    (code >= 0x1F300 && code <= 0x1FAFF) || (code >= 0x20000 && code <= 0x3FFFD);
  return wide ? 2 : 1;
}

// Broken sequences count byte by byte.
Character first_character(std::string_view text) {
  const std::size_t length = utf8_length(text);
  if (length == 0) return {};
  return {length, code_width(utf8_code(text, length))};
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    width += character.width;
    text.remove_prefix(character.bytes);
  }
  return width;
}

std::string_view fitting_part(std::string_view text, std::size_t width) {
  std::size_t bytes = 0;
  std::size_t used = 0;
  while (bytes < text.size()) {
    const Character character = first_character(text.substr(bytes));
    if (used + character.width > width) break;
    used += character.width;
    bytes += character.bytes;
  }
  return text.substr(0, bytes);
}

std::string shortened(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  return std::string(fitting_part(text, width - 1)) + "…";
}

TextTable::TextTable(std::vector<ColumnStyle> columns) : columns_(std::move(columns)) {
  for (const ColumnStyle& column : columns_) widths_.push_back(display_width(column.heading));
}

void TextTable::add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  for (std::size_t j = 0; j < cells.size(); ++j) {
    widths_[j] = std::max(widths_[j], display_width(cells[j]));
  }
  rows_.push_back(std::move(cells));
}

std::size_t TextTable::width_before(std::size_t column) const {
  std::size_t width = kIndent;
  for (std::size_t j = 0; j < column; ++j) width += widths_[j] + kGap;
  return width;
}

std::string TextTable::line(const std::vector<std::string>& cells) const {
  std::string text(kIndent, ' ');
  for (std::size_t j = 0; j < cells.size(); ++j) {
    const std::string padding(widths_[j] - display_width(cells[j]), ' ');
    text += columns_[j].align == Align::right ? padding + cells[j] : cells[j] + padding;
    text += std::string(kGap, ' ');
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string TextTable::text(std::string_view before, std::string_view after) const {
  std::vector<std::string> headings;
  for (const ColumnStyle& column : columns_) headings.push_back(column.heading);
  std::string text = std::string(before) + line(headings) + std::string(after) + "\n";
  for (const auto& row : rows_) text += line(row) + "\n";
  return text;
}

std::string wrapped(const std::vector<std::string>& words, std::size_t width) {
  std::string text;
  std::size_t used = 0;
  for (const std::string& word : words) {
    const std::size_t needed = display_width(word) + kGap;
    if (used > 0 && used + needed > width) {
      text += '\n';
      used = 0;
    }
    text += std::string(kGap, ' ') + word;
    used += needed;
  }
  if (!text.empty()) text += '\n';
  return text;
}

std::string filled(std::string_view text, std::size_t width, std::size_t indent) {
  std::string lines;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    const std::size_t needed = display_width(word);
    if (used > indent && used + 1 + needed > width) {
      lines += '\n' + std::string(indent, ' ');
      used = indent;
    } else if (used > 0) {
      lines += ' ';
      ++used;
    }
    lines += word;
    used += needed;
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return lines;
}

}  // namespace fsieve::report
