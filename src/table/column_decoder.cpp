#include "table/column_decoder.h"

#include <cmath>
#include <vector>

#include "table/missing_cells.h"

namespace fsieve::io::inline table {
ColumnDecoder::ColumnDecoder(const CellReader& cells, const Column& column, bool as_levels,
                             bool passenger, std::optional<DateDecoding> date)
    : cells_(&cells),
      kind_(column.kind),
      as_levels_(as_levels),
      passenger_(passenger),
      date_(date) {
  if (column.pooled) pooled_ = static_cast<double>(*column.pooled);
  for (std::size_t k = 0; k < column.levels.size(); ++k) {
    texts_.emplace(column.levels[k], static_cast<double>(k));
    double number = 0;
    if (as_levels && parse_number(column.levels[k], number)) {
      numbers_.emplace(number, static_cast<double>(k));
    }
  }
}

bool ColumnDecoder::decode(const Cells& cells, double* out) const {
  if (!cells.is_text) {
    const bool plain = kind_ == ColumnKind::numeric && !cells_->has_na_numbers() && !date_;
    bool fits = true;
    for (std::size_t i = 0; i < cells.numbers.size(); ++i) {
      if (plain) {
        out[i] = cells.numbers[i];
        fits = fits && (passenger_ || !std::isinf(out[i]));
      } else {
        fits = decode_number(cells.numbers[i], out[i]) && fits;
      }
    }
    return fits;
  }
  std::vector<double> values(cells.texts.size());
  for (std::size_t t = 0; t < cells.texts.size(); ++t) {
    if (!decode_text(cells.texts[t], values[t])) return false;
  }
  for (std::size_t i = 0; i < cells.codes.size(); ++i) {
    out[i] = cells.codes[i] == Cells::kNull ? missing_value : values[cells.codes[i]];
  }
  return true;
}

void ColumnDecoder::renumber(const std::vector<double>& translation) {
  for (auto& [text, code] : texts_) code = translation[static_cast<std::size_t>(code)];
  for (auto& [number, code] : numbers_) code = translation[static_cast<std::size_t>(code)];
  if (pooled_ && !translation.empty()) pooled_ = translation[static_cast<std::size_t>(*pooled_)];
}

bool ColumnDecoder::decode_number(double number, double& out) const {
  if (cells_->is_missing(number)) {
    out = missing_value;
    return true;
  }
  if (kind_ == ColumnKind::numeric) {
    out = date_ ? part_of(number, date_->part) : number;
    return passenger_ || !std::isinf(number);
  }
  const auto level = numbers_.find(number);
  if (level == numbers_.end() && !pooled_) return false;
  out = level == numbers_.end() ? *pooled_ : level->second;
  return true;
}

bool ColumnDecoder::decode_text(const std::string& text, double& out) const {
  double number = 0;
  const CellKind kind = cells_->classify(text, number);
  const bool by_number = kind_ == ColumnKind::numeric || as_levels_;
  if (kind == CellKind::missing || (kind == CellKind::nan && by_number)) {
    out = missing_value;
    return true;
  }
  if (kind == CellKind::number && by_number) return decode_number(number, out);
  if (date_) {
    if (!parse_date(text, date_->style, number)) return false;
    out = part_of(number, date_->part);
    return true;
  }
  const auto level = texts_.find(text);
  if (level == texts_.end() && !pooled_) return false;
  out = level == texts_.end() ? *pooled_ : level->second;
  return true;
}

}  // namespace fsieve::io::table
