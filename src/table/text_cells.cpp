#include "table/text_cells.h"

#include <fmt/format.h>

#include "table/whole_number.h"

namespace fsieve::io::inline table {
namespace {

// Whether a double holds what the digits say.
bool is_exact_whole(std::string_view digits, double value) {
  if (!is_beyond_exact(value)) return !std::isinf(value);
  digits = trim_blanks(digits);
  const std::size_t first = digits.find_first_not_of("+-0");
  return fmt::format("{:.0f}", std::abs(value)) == digits.substr(first);
}

}  // namespace

void TextCells::add(std::string_view text, bool quoted) {
  bytes_ += text;
  ends_.push_back(bytes_.size());
  quoted_.push_back(quoted);
}

std::string_view TextCells::text(std::size_t row) const {
  const std::size_t first = row == 0 ? 0 : ends_[row - 1];
  return std::string_view(bytes_).substr(first, ends_[row] - first);
}

bool TextCells::is_missing(std::size_t row) const {
  double value = 0;
  const CellKind kind = cells_->classify(text(row), value);
  return kind == CellKind::missing || (kind == CellKind::nan && type_ != TextType::text);
}

// As it stood in the file, but for what another delimiter makes necessary.
void TextCells::append_csv(std::size_t row, char delimiter, std::string& out) const {
  const std::string_view cell = text(row);
  // Computed numbers may stand beside it, which have a point.
  double value = 0;
  const std::size_t comma = cells_->decimal_comma() ? cell.find(',') : std::string_view::npos;
  if (comma != std::string_view::npos && cells_->parse(cell, value)) {
    const std::string_view trimmed = trim_blanks(cell);
    const std::size_t at = out.size() + trimmed.find(',');
    out.append(trimmed)[at] = '.';
    return;
  }
  if (quoted_[row] || cell.find_first_of(",;|\t\r\n") != std::string_view::npos ||
      cell.find(delimiter) != std::string_view::npos) {
    append_quoted(cell, out);
  } else {
    out += cell;
  }
}

bool TextCells::append_json(std::size_t row, std::string& out) const {
  if (type_ != TextType::text) {
    append_json_number(number(row), out);
    return true;
  }
  if (!is_missing(row)) return append_json_text(text(row), out);
  out += "null";
  return true;
}

std::optional<NumberType> TextCells::number_type() const {
  switch (type_) {
    case TextType::real:
      return NumberType{'f', sizeof(double)};
    case TextType::whole:
      return NumberType{'i', sizeof(std::int64_t)};
    case TextType::natural:
      return NumberType{'u', sizeof(std::uint64_t)};
    case TextType::text:
      break;
  }
  return std::nullopt;
}

Number TextCells::number(std::size_t row) const {
  Number number;
  if (is_missing(row)) return number;
  if (type_ == TextType::whole && parse_whole(text(row), number.whole)) {
    number.sort = Number::Sort::whole;
  } else if (type_ == TextType::natural && parse_whole(text(row), number.natural)) {
    number.sort = Number::Sort::natural;
  } else if (cells_->parse(text(row), number.real)) {
    number.sort = Number::Sort::real;
  }
  return number;
}

std::shared_ptr<const OriginalColumn> TextCells::take(std::span<const std::size_t> rows) const {
  auto taken = std::make_shared<TextCells>(*cells_, type_);
  for (const std::size_t row : rows) taken->add(text(row), quoted_[row]);
  return taken;
}

void TextTypeScan::add(std::string_view text, const CellReader& cells) {
  double value = 0;
  const CellKind kind = cells.classify(text, value);
  if (kind == CellKind::missing || kind == CellKind::nan) return;
  if (kind == CellKind::text) {
    any_text_ = true;
    return;
  }
  if (!is_whole_text(text)) {
    all_whole_ = false;
    return;
  }
  any_inexact_ = any_inexact_ || !is_exact_whole(text, value);
  std::int64_t whole = 0;
  std::uint64_t natural = 0;
  all_signed_ = all_signed_ && parse_whole(text, whole);
  all_unsigned_ = all_unsigned_ && parse_whole(text, natural);
}

TextType TextTypeScan::type() const {
  if (any_text_) return TextType::text;
  if (!any_inexact_) return TextType::real;
  if (!all_whole_) return TextType::text;
  return all_signed_ ? TextType::whole : all_unsigned_ ? TextType::natural : TextType::text;
}

}  // namespace fsieve::io::table
