#include "table/value_cells.h"

#include <cmath>
#include <cstring>
#include <utility>

#include "table/number_convert.h"

namespace fsieve::io::inline table {
namespace {

template <typename Value>
Value load(const char* at) {
  Value value{};
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::int64_t load_signed(const char* at, std::size_t size) {
  switch (size) {
    case 1:
      return load<std::int8_t>(at);
    case 2:
      return load<std::int16_t>(at);
    case 4:
      return load<std::int32_t>(at);
    default:
      return load<std::int64_t>(at);
  }
}

std::uint64_t load_unsigned(const char* at, std::size_t size) {
  switch (size) {
    case 1:
      return load<std::uint8_t>(at);
    case 2:
      return load<std::uint16_t>(at);
    case 4:
      return load<std::uint32_t>(at);
    default:
      return load<std::uint64_t>(at);
  }
}

Number real_number(double value) {
  Number number;
  if (std::isnan(value)) return number;
  number.sort = Number::Sort::real;
  number.real = value;
  return number;
}

}  // namespace

void NumberCells::append_csv(std::size_t row, char /*delimiter*/, std::string& out) const {
  append_csv_number(number(row), out);
}

bool NumberCells::append_json(std::size_t row, std::string& out) const {
  append_json_number(number(row), out);
  return true;
}

Number NumberCells::number(std::size_t row) const {
  const char* const at = bytes_.data() + row * type_.size;
  Number number;
  if (type_.kind == 'i') {
    number.sort = Number::Sort::whole;
    number.whole = load_signed(at, type_.size);
    return number;
  }
  if (type_.kind == 'u' || type_.kind == 'b') {
    number.sort = Number::Sort::natural;
    number.natural = load_unsigned(at, type_.size);
    return number;
  }
  double value = 0;
  number_converter(type_.kind, type_.size)(at, 0, false, &value, 1);
  return real_number(value);
}

std::shared_ptr<const OriginalColumn> NumberCells::take(std::span<const std::size_t> rows) const {
  std::vector<char> taken(rows.size() * type_.size);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::memcpy(taken.data() + i * type_.size, bytes_.data() + rows[i] * type_.size, type_.size);
  }
  return std::make_shared<NumberCells>(type_, std::move(taken));
}

const std::string& BlockCells::level(std::size_t row) const {
  return column_->levels.at(static_cast<std::size_t>(values_[row]));
}

void BlockCells::append_csv(std::size_t row, char delimiter, std::string& out) const {
  if (std::isnan(values_[row])) return;  // missing: an empty field
  if (column_->kind == ColumnKind::categorical) {
    append_csv_text(level(row), delimiter, out);
  } else {
    append_csv_number(number(row), out);
  }
}

bool BlockCells::append_json(std::size_t row, std::string& out) const {
  if (column_->kind == ColumnKind::categorical && !std::isnan(values_[row])) {
    return append_json_text(level(row), out);
  }
  append_json_number(number(row), out);
  return true;
}

std::optional<NumberType> BlockCells::number_type() const {
  if (column_->kind == ColumnKind::categorical) return std::nullopt;
  return NumberType{};
}

Number BlockCells::number(std::size_t row) const { return real_number(values_[row]); }

FilledCells::FilledCells(std::shared_ptr<const OriginalColumn> cells, const Column& column,
                         std::vector<double> decoded, double fill)
    : cells_(std::move(cells)), values_(std::move(decoded)), filled_(column, values_) {
  for (double& value : values_) {
    missing_.push_back(std::isnan(value));
    if (missing_.back()) value = fill;
  }
}

void FilledCells::append_csv(std::size_t row, char delimiter, std::string& out) const {
  if (missing_[row]) return filled_.append_csv(row, delimiter, out);
  cells_->append_csv(row, delimiter, out);
}

bool FilledCells::append_json(std::size_t row, std::string& out) const {
  return missing_[row] ? filled_.append_json(row, out) : cells_->append_json(row, out);
}

std::optional<NumberType> FilledCells::number_type() const { return filled_.number_type(); }

Number FilledCells::number(std::size_t row) const { return filled_.number(row); }

}  // namespace fsieve::io::table
