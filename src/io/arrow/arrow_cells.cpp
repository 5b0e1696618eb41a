#include "io/arrow/arrow_cells.h"

#include <arrow/array.h>
#include <arrow/array/concatenate.h>
#include <arrow/array/data.h>
#include <arrow/extension_type.h>
#include <arrow/scalar.h>
#include <arrow/type.h>
#include <arrow/util/ree_util.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/number.h"
#include "base/shown_text.h"
#include "io/arrow/arrow_bytes.h"
#include "table/cell_text.h"
#include "table/half_float.h"

namespace fsieve::io {
namespace {

template <typename ArrayType>
const ArrayType& as(const arrow::Array& array) {
  return static_cast<const ArrayType&>(array);
}

// Where a value lies.
struct Place {
  const arrow::Array* array;
  std::int64_t row;
};

template <typename ArrayType>
Number number_of(const arrow::Array& array, std::int64_t row) {
  Number number;
  const auto value = as<ArrayType>(array).Value(row);
  if constexpr (std::is_same_v<ArrayType, arrow::HalfFloatArray>) {
    number.sort = Number::Sort::real;
    number.real = half_to_double(value);
  } else if constexpr (std::is_floating_point_v<decltype(value)>) {
    number.sort = Number::Sort::real;
    number.real = value;
  } else if constexpr (std::is_signed_v<decltype(value)>) {
    number.sort = Number::Sort::whole;
    // Eight bits are a number too.
    number.whole = static_cast<std::int64_t>(value);  // NOLINT(bugprone-signed-char-misuse)
  } else {
    number.sort = Number::Sort::natural;
    number.natural = value;
  }
  if (number.sort == Number::Sort::real && std::isnan(number.real)) return {};
  return number;
}

// The number there; missing where there is none, or no number.
Number number_at(const arrow::Array& array, std::int64_t row) {
  if (array.IsNull(row)) return {};
  switch (array.type_id()) {
    case arrow::Type::BOOL:
      return number_of<arrow::BooleanArray>(array, row);
    case arrow::Type::INT8:
      return number_of<arrow::Int8Array>(array, row);
    case arrow::Type::INT16:
      return number_of<arrow::Int16Array>(array, row);
    case arrow::Type::INT32:
      return number_of<arrow::Int32Array>(array, row);
    case arrow::Type::INT64:
      return number_of<arrow::Int64Array>(array, row);
    case arrow::Type::UINT8:
      return number_of<arrow::UInt8Array>(array, row);
    case arrow::Type::UINT16:
      return number_of<arrow::UInt16Array>(array, row);
    case arrow::Type::UINT32:
      return number_of<arrow::UInt32Array>(array, row);
    case arrow::Type::UINT64:
      return number_of<arrow::UInt64Array>(array, row);
    case arrow::Type::HALF_FLOAT:
      return number_of<arrow::HalfFloatArray>(array, row);
    case arrow::Type::FLOAT:
      return number_of<arrow::FloatArray>(array, row);
    case arrow::Type::DOUBLE:
      return number_of<arrow::DoubleArray>(array, row);
    default:
      return {};
  }
}

bool holds_numbers(arrow::Type::type id) {
  return arrow::is_integer(id) || arrow::is_floating(id) || id == arrow::Type::BOOL;
}

// A text as it is, a decimal with all its digits, anything else as Arrow spells it.
std::string text_at(const arrow::Array& array, std::int64_t row) {
  switch (array.type_id()) {
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      return std::string(as<arrow::BinaryArray>(array).GetView(row));
    case arrow::Type::LARGE_STRING:
    case arrow::Type::LARGE_BINARY:
      return std::string(as<arrow::LargeBinaryArray>(array).GetView(row));
    case arrow::Type::STRING_VIEW:
    case arrow::Type::BINARY_VIEW:
      return std::string(as<arrow::BinaryViewArray>(array).GetView(row));
    case arrow::Type::FIXED_SIZE_BINARY:
      return std::string(as<arrow::FixedSizeBinaryArray>(array).GetView(row));
    case arrow::Type::DECIMAL32:
      return as<arrow::Decimal32Array>(array).FormatValue(row);
    case arrow::Type::DECIMAL64:
      return as<arrow::Decimal64Array>(array).FormatValue(row);
    case arrow::Type::DECIMAL128:
      return as<arrow::Decimal128Array>(array).FormatValue(row);
    case arrow::Type::DECIMAL256:
      return as<arrow::Decimal256Array>(array).FormatValue(row);
    default:
      break;
  }
  const auto value = array.GetScalar(row);
  return value.ok() ? (*value)->ToString() : "";
}

bool append_value(const arrow::Array& array, std::int64_t row, std::string& out);

bool append_items(const arrow::Array& values, std::int64_t first, std::int64_t count,
                  std::string& out) {
  out += '[';
  bool good = true;
  for (std::int64_t i = 0; i < count; ++i) {
    if (i > 0) out += ',';
    good = append_value(values, first + i, out) && good;
  }
  out += ']';
  return good;
}

template <typename ArrayType>
bool append_list(const arrow::Array& array, std::int64_t row, std::string& out) {
  const auto& list = as<ArrayType>(array);
  return append_items(*list.values(), list.value_offset(row), list.value_length(row), out);
}

bool append_struct(const arrow::Array& array, std::int64_t row, std::string& out) {
  const auto& record = as<arrow::StructArray>(array);
  out += '{';
  bool good = true;
  for (int k = 0; k < record.num_fields(); ++k) {
    if (k > 0) out += ',';
    good = append_json_text(record.struct_type()->field(k)->name(), out) && good;
    out += ':';
    good = append_value(*record.field(k), row, out) && good;
  }
  out += '}';
  return good;
}

bool append_union(const arrow::Array& array, std::int64_t row, std::string& out) {
  const auto& any = as<arrow::UnionArray>(array);
  const int child = any.child_id(row);
  const bool dense = array.type_id() == arrow::Type::DENSE_UNION;
  const std::int64_t at = dense ? as<arrow::DenseUnionArray>(array).value_offset(row) : row;
  return append_value(*any.field(child), at, out);
}

// A dictionary's value, the value of a run, an extension's storage, and what these are made of in
// turn; else the place itself. Each array is held by the one around it.
Place plain_place(const arrow::Array& array, std::int64_t row) {
  switch (array.type_id()) {
    case arrow::Type::DICTIONARY: {
      const auto& coded = as<arrow::DictionaryArray>(array);
      if (coded.IsNull(row)) return {&array, row};
      return plain_place(*coded.dictionary(), coded.GetValueIndex(row));
    }
    case arrow::Type::RUN_END_ENCODED: {
      const arrow::ArraySpan runs(*array.data());
      return plain_place(*as<arrow::RunEndEncodedArray>(array).values(),
                         arrow::ree_util::FindPhysicalIndex(runs, row, runs.offset));
    }
    case arrow::Type::EXTENSION:
      return plain_place(*as<arrow::ExtensionArray>(array).storage(), row);
    default:
      return {&array, row};
  }
}

// As JSON; false when there is text that is not UTF-8.
bool append_value(const arrow::Array& array, std::int64_t row, std::string& out) {
  const arrow::Type::type id = array.type_id();
  const bool is_union = id == arrow::Type::DENSE_UNION || id == arrow::Type::SPARSE_UNION;
  if (!is_union && array.IsNull(row)) {
    out += "null";
    return true;
  }
  switch (id) {
    case arrow::Type::DICTIONARY:
    case arrow::Type::RUN_END_ENCODED:
    case arrow::Type::EXTENSION: {
      const Place place = plain_place(array, row);
      return append_value(*place.array, place.row, out);
    }
    case arrow::Type::NA:
      out += "null";
      return true;
    case arrow::Type::BOOL:
      out += as<arrow::BooleanArray>(array).Value(row) ? "true" : "false";
      return true;
    case arrow::Type::DECIMAL32:
    case arrow::Type::DECIMAL64:
    case arrow::Type::DECIMAL128:
    case arrow::Type::DECIMAL256:
      out += text_at(array, row);
      return true;
    case arrow::Type::LIST:
    case arrow::Type::MAP:
      return append_list<arrow::ListArray>(array, row, out);
    case arrow::Type::LARGE_LIST:
      return append_list<arrow::LargeListArray>(array, row, out);
    case arrow::Type::FIXED_SIZE_LIST:
      return append_list<arrow::FixedSizeListArray>(array, row, out);
    case arrow::Type::LIST_VIEW:
      return append_list<arrow::ListViewArray>(array, row, out);
    case arrow::Type::LARGE_LIST_VIEW:
      return append_list<arrow::LargeListViewArray>(array, row, out);
    case arrow::Type::STRUCT:
      return append_struct(array, row, out);
    case arrow::Type::DENSE_UNION:
    case arrow::Type::SPARSE_UNION:
      return append_union(array, row, out);
    default:
      break;
  }
  if (!holds_numbers(id)) return append_json_text(text_at(array, row), out);
  append_json_number(number_at(array, row), out);
  return true;
}

}  // namespace

void ArrowCells::append_csv(std::size_t row, char delimiter, std::string& out) const {
  const Place place = plain_place(*array_, static_cast<std::int64_t>(row));
  const arrow::Type::type id = place.array->type_id();
  if (arrow::is_nested(id)) {
    std::string text;
    (void)append_value(*place.array, place.row, text);
    if (text != "null") append_csv_text(text, delimiter, out);
    return;
  }
  if (place.array->IsNull(place.row)) return;  // an empty field
  if (holds_numbers(id)) {
    append_csv_number(number_at(*place.array, place.row), out);
  } else {
    append_csv_text(text_at(*place.array, place.row), delimiter, out);
  }
}

bool ArrowCells::append_json(std::size_t row, std::string& out) const {
  return append_value(*array_, static_cast<std::int64_t>(row), out);
}

std::optional<NumberType> ArrowCells::number_type() const {
  const arrow::DataType* type = array_->type().get();
  if (type->id() == arrow::Type::DICTIONARY) {
    type = static_cast<const arrow::DictionaryType*>(type)->value_type().get();
  }
  const arrow::Type::type id = type->id();
  if (id == arrow::Type::BOOL) return NumberType{'b', 1};
  if (arrow::is_decimal(id) || id == arrow::Type::NA) return NumberType{};
  if (!holds_numbers(id)) return std::nullopt;
  const char kind = arrow::is_floating(id) ? 'f' : arrow::is_signed_integer(id) ? 'i' : 'u';
  return NumberType{kind, static_cast<std::size_t>(type->byte_width())};
}

Number ArrowCells::number(std::size_t row) const {
  const Place place = plain_place(*array_, static_cast<std::int64_t>(row));
  if (!arrow::is_decimal(place.array->type_id()) || place.array->IsNull(place.row)) {
    return number_at(*place.array, place.row);
  }
  Number number;
  const auto value = place.array->GetScalar(place.row);
  const std::string text = value.ok() ? (*value)->ToString() : "";
  if (const auto read = number_in(text)) {
    number.real = *read;
    number.sort = Number::Sort::real;
  }
  return number;
}

std::shared_ptr<const OriginalColumn> ArrowCells::take(std::span<const std::size_t> rows) const {
  arrow::ArrayVector runs;
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t end = i + 1;
    while (end < rows.size() && rows[end] == rows[end - 1] + 1) ++end;
    runs.push_back(
        array_->Slice(static_cast<std::int64_t>(rows[i]), static_cast<std::int64_t>(end - i)));
    i = end;
  }
  auto taken = require(
      arrow::Concatenate(runs), fmt::format("column \"{}\"", shown(field_->name())),
      fmt::format("rows cannot be dropped from values of type {}", field_->type()->ToString()));
  return std::make_shared<ArrowCells>(field_, std::move(taken));
}

}  // namespace fsieve::io
