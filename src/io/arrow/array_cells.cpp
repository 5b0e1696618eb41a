#include "io/arrow/array_cells.h"

#include <arrow/array.h>
#include <arrow/scalar.h>
#include <arrow/type.h>
#include <arrow/util/decimal.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <type_traits>
#include <unordered_map>

#include "table/half_float.h"
#include "table/missing_cells.h"
#include "table/whole_number.h"

namespace fsieve::io {
namespace {

bool is_text_type(arrow::Type::type id) {
  return id == arrow::Type::STRING || id == arrow::Type::LARGE_STRING ||
         id == arrow::Type::STRING_VIEW;
}

bool is_date_type(arrow::Type::type id) {
  return id == arrow::Type::DATE32 || id == arrow::Type::DATE64 || id == arrow::Type::TIMESTAMP;
}

bool is_number_type(arrow::Type::type id) {
  return arrow::is_integer(id) || arrow::is_floating(id) || arrow::is_decimal(id) ||
         id == arrow::Type::BOOL || id == arrow::Type::NA || is_date_type(id);
}

template <typename ArrayType>
void numbers_of(const arrow::Array& array, Cells& cells) {
  const auto& typed = static_cast<const ArrayType&>(array);
  const bool any_null = typed.null_count() > 0;
  for (std::int64_t i = 0; i < typed.length(); ++i) {
    double value = missing_value;
    if (!any_null || typed.IsValid(i)) {
      if constexpr (std::is_same_v<ArrayType, arrow::HalfFloatArray>) {
        value = half_to_double(typed.Value(i));
      } else {
        value = static_cast<double>(typed.Value(i));
      }
    }
    cells.numbers[static_cast<std::size_t>(i)] = value;
  }
  if constexpr (std::is_same_v<ArrayType, arrow::Int64Array> ||
                std::is_same_v<ArrayType, arrow::UInt64Array>) {
    cells.beyond_exact = std::any_of(cells.numbers.begin(), cells.numbers.end(), is_beyond_exact);
  }
}

// As days since 1970-01-01.
template <typename ArrayType>
void days_of(const arrow::Array& array, double per_day, Cells& cells) {
  numbers_of<ArrayType>(array, cells);
  for (double& value : cells.numbers) value /= per_day;
}

double units_per_day(arrow::TimeUnit::type unit) {
  constexpr double seconds = 86400;
  switch (unit) {
    case arrow::TimeUnit::SECOND:
      return seconds;
    case arrow::TimeUnit::MILLI:
      return seconds * 1e3;
    case arrow::TimeUnit::MICRO:
      return seconds * 1e6;
    case arrow::TimeUnit::NANO:
      break;
  }
  return seconds * 1e9;
}

// Arrow knows the powers that its types can have, and looks no further; a file may say any.
template <typename Decimal>
double decimal_value(const Decimal& digits, int scale) {
  if (scale >= -Decimal::kMaxScale && scale <= Decimal::kMaxScale) return digits.ToDouble(scale);
  const double value = digits.ToDouble(0);
  return value == 0 ? 0 : value * std::pow(10.0, -static_cast<double>(scale));
}

template <typename Decimal>
void decimals_of(const arrow::Array& array, Cells& cells) {
  const auto& typed = static_cast<const arrow::FixedSizeBinaryArray&>(array);
  const int scale = static_cast<const arrow::DecimalType&>(*array.type()).scale();
  for (std::int64_t i = 0; i < typed.length(); ++i) {
    cells.numbers[static_cast<std::size_t>(i)] =
        typed.IsValid(i) ? decimal_value(Decimal(typed.GetValue(i)), scale) : missing_value;
  }
  cells.beyond_exact =
      scale <= 0 && std::any_of(cells.numbers.begin(), cells.numbers.end(), is_beyond_exact);
}

template <typename ArrayType>
void texts_of(const arrow::Array& array, Cells& cells) {
  const auto& typed = static_cast<const ArrayType&>(array);
  std::unordered_map<std::string_view, std::int32_t> codes;
  for (std::int64_t i = 0; i < typed.length(); ++i) {
    std::int32_t& code = cells.codes[static_cast<std::size_t>(i)];
    code = Cells::kNull;
    if (typed.IsNull(i)) continue;
    const auto [entry, fresh] =
        codes.try_emplace(typed.GetView(i), static_cast<std::int32_t>(codes.size()));
    if (fresh) cells.texts.emplace_back(entry->first);
    code = entry->second;
  }
}

// Dates, lists and the like, as Arrow spells them. Only passengers come here.
void spell_values(const arrow::Array& array, Cells& cells) {
  std::unordered_map<std::string, std::int32_t> codes;
  for (std::int64_t i = 0; i < array.length(); ++i) {
    std::int32_t& code = cells.codes[static_cast<std::size_t>(i)];
    code = Cells::kNull;
    if (array.IsNull(i)) continue;
    const auto value = array.GetScalar(i);
    const auto [entry, fresh] = codes.try_emplace(value.ok() ? (*value)->ToString() : "",
                                                  static_cast<std::int32_t>(codes.size()));
    if (fresh) cells.texts.push_back(entry->first);
    code = entry->second;
  }
}

// Only the values that rows of this array have: a dictionary may be far larger.
void dictionary_to_cells(const arrow::DictionaryArray& array, Cells& cells) {
  Cells values;
  array_to_cells(*array.dictionary(), values);
  cells.is_text = values.is_text;
  const auto rows = static_cast<std::size_t>(array.length());
  cells.beyond_exact = false;
  if (!values.is_text) {
    cells.numbers.resize(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      const auto at = static_cast<std::int64_t>(i);
      cells.numbers[i] = array.IsNull(at)
                             ? missing_value
                             : values.numbers[static_cast<std::size_t>(array.GetValueIndex(at))];
    }
    cells.beyond_exact = values.beyond_exact &&
                         std::any_of(cells.numbers.begin(), cells.numbers.end(), is_beyond_exact);
    return;
  }
  cells.codes.resize(rows);
  cells.texts.clear();
  std::vector<std::int32_t> codes(values.texts.size(), Cells::kNull);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto at = static_cast<std::int64_t>(i);
    cells.codes[i] = Cells::kNull;
    if (array.IsNull(at)) continue;
    const std::int32_t text = values.codes[static_cast<std::size_t>(array.GetValueIndex(at))];
    if (text == Cells::kNull) continue;
    std::int32_t& code = codes[static_cast<std::size_t>(text)];
    if (code == Cells::kNull) {
      code = static_cast<std::int32_t>(cells.texts.size());
      cells.texts.push_back(values.texts[static_cast<std::size_t>(text)]);
    }
    cells.codes[i] = code;
  }
}

}  // namespace

bool is_usable(const arrow::DataType& type) {
  if (type.id() == arrow::Type::DICTIONARY) {
    const auto& values = *static_cast<const arrow::DictionaryType&>(type).value_type();
    return (is_number_type(values.id()) && !is_date_type(values.id())) || is_text_type(values.id());
  }
  return is_number_type(type.id()) || is_text_type(type.id());
}

std::vector<FileColumn> file_columns(const arrow::Schema& schema) {
  std::vector<FileColumn> columns;
  for (const auto& field : schema.fields()) {
    columns.push_back({field->name(), is_usable(*field->type()) ? "" : field->type()->ToString(),
                       is_date_type(field->type()->id())});
  }
  return columns;
}

void array_to_cells(const arrow::Array& array, Cells& cells) {
  const arrow::Type::type id = array.type_id();
  if (id == arrow::Type::DICTIONARY) {
    dictionary_to_cells(static_cast<const arrow::DictionaryArray&>(array), cells);
    return;
  }
  cells.is_text = !is_number_type(id);
  cells.beyond_exact = false;
  const auto rows = static_cast<std::size_t>(array.length());
  if (cells.is_text) {
    cells.codes.resize(rows);
    cells.texts.clear();
  } else {
    cells.numbers.resize(rows);
  }
  switch (id) {
    case arrow::Type::BOOL:
      return numbers_of<arrow::BooleanArray>(array, cells);
    case arrow::Type::INT8:
      return numbers_of<arrow::Int8Array>(array, cells);
    case arrow::Type::INT16:
      return numbers_of<arrow::Int16Array>(array, cells);
    case arrow::Type::INT32:
      return numbers_of<arrow::Int32Array>(array, cells);
    case arrow::Type::INT64:
      return numbers_of<arrow::Int64Array>(array, cells);
    case arrow::Type::UINT8:
      return numbers_of<arrow::UInt8Array>(array, cells);
    case arrow::Type::UINT16:
      return numbers_of<arrow::UInt16Array>(array, cells);
    case arrow::Type::UINT32:
      return numbers_of<arrow::UInt32Array>(array, cells);
    case arrow::Type::UINT64:
      return numbers_of<arrow::UInt64Array>(array, cells);
    case arrow::Type::HALF_FLOAT:
      return numbers_of<arrow::HalfFloatArray>(array, cells);
    case arrow::Type::FLOAT:
      return numbers_of<arrow::FloatArray>(array, cells);
    case arrow::Type::DOUBLE:
      return numbers_of<arrow::DoubleArray>(array, cells);
    case arrow::Type::DATE32:
      return days_of<arrow::Date32Array>(array, 1, cells);
    case arrow::Type::DATE64:
      return days_of<arrow::Date64Array>(array, units_per_day(arrow::TimeUnit::MILLI), cells);
    case arrow::Type::TIMESTAMP:
      return days_of<arrow::TimestampArray>(
          array, units_per_day(static_cast<const arrow::TimestampType&>(*array.type()).unit()),
          cells);
    case arrow::Type::DECIMAL32:
      return decimals_of<arrow::Decimal32>(array, cells);
    case arrow::Type::DECIMAL64:
      return decimals_of<arrow::Decimal64>(array, cells);
    case arrow::Type::DECIMAL128:
      return decimals_of<arrow::Decimal128>(array, cells);
    case arrow::Type::DECIMAL256:
      return decimals_of<arrow::Decimal256>(array, cells);
    case arrow::Type::STRING:
      return texts_of<arrow::StringArray>(array, cells);
    case arrow::Type::LARGE_STRING:
      return texts_of<arrow::LargeStringArray>(array, cells);
    case arrow::Type::STRING_VIEW:
      return texts_of<arrow::StringViewArray>(array, cells);
    case arrow::Type::NA:
      cells.numbers.assign(rows, missing_value);
      return;
    default:
      return spell_values(array, cells);
  }
}

}  // namespace fsieve::io
