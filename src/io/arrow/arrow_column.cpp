#include "io/arrow/arrow_column.h"

#include <arrow/array.h>
#include <arrow/buffer.h>
#include <arrow/builder.h>
#include <arrow/type.h>

#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "io/arrow/arrow_bytes.h"
#include "io/arrow/arrow_cells.h"
#include "table/cell_text.h"
#include "table/text_cells.h"
#include "table/value_cells.h"

namespace fsieve::io {
namespace {

using MadeArray = arrow::Result<std::shared_ptr<arrow::Array>>;

std::shared_ptr<arrow::DataType> arrow_type(NumberType type) {
  if (type.kind == 'b') return arrow::boolean();
  const bool is_signed = type.kind == 'i';
  if (type.kind == 'f') {
    return type.size == 2 ? arrow::float16() : type.size == 4 ? arrow::float32() : arrow::float64();
  }
  switch (type.size) {
    case 1:
      return is_signed ? arrow::int8() : arrow::uint8();
    case 2:
      return is_signed ? arrow::int16() : arrow::uint16();
    case 4:
      return is_signed ? arrow::int32() : arrow::uint32();
    default:
      return is_signed ? arrow::int64() : arrow::uint64();
  }
}

MadeArray bits_of(const NumberCells& cells, std::size_t first, std::size_t rows) {
  arrow::BooleanBuilder builder;
  for (std::size_t i = 0; i < rows; ++i) {
    ARROW_RETURN_NOT_OK(builder.Append(cells.number(first + i).natural != 0));
  }
  return builder.Finish();
}

MadeArray array_of(const NumberCells& cells, std::size_t first, std::size_t rows) {
  const NumberType type = *cells.number_type();
  if (type.kind == 'b') return bits_of(cells, first, rows);
  auto bytes = arrow::Buffer::FromString(
      std::string(cells.bytes().data() + first * type.size, rows * type.size));
  return arrow::MakeArray(arrow::ArrayData::Make(arrow_type(type), static_cast<std::int64_t>(rows),
                                                 {nullptr, std::move(bytes)}, 0));
}

MadeArray array_of(const BlockCells& cells, std::size_t first, std::size_t rows) {
  const auto values = cells.values().subspan(first, rows);
  if (cells.column().kind == ColumnKind::numeric) {
    arrow::DoubleBuilder builder;
    for (const double value : values) {
      ARROW_RETURN_NOT_OK(std::isnan(value) ? builder.AppendNull() : builder.Append(value));
    }
    return builder.Finish();
  }
  arrow::StringBuilder builder;
  for (const double value : values) {
    if (std::isnan(value)) {
      ARROW_RETURN_NOT_OK(builder.AppendNull());
      continue;
    }
    ARROW_RETURN_NOT_OK(builder.Append(cells.column().levels.at(static_cast<std::size_t>(value))));
  }
  return builder.Finish();
}

template <typename Builder, typename Value>
MadeArray numbers_of(const TextCells& cells, std::size_t first, std::size_t rows,
                     const Value& value) {
  Builder builder;
  for (std::size_t i = first; i < first + rows; ++i) {
    const Number number = cells.number(i);
    ARROW_RETURN_NOT_OK(number.sort == Number::Sort::missing ? builder.AppendNull()
                                                             : builder.Append(value(number)));
  }
  return builder.Finish();
}

MadeArray array_of(const TextCells& cells, std::size_t first, std::size_t rows) {
  switch (cells.type()) {
    case TextType::real:
      return numbers_of<arrow::DoubleBuilder>(cells, first, rows,
                                              [](const Number& number) { return number.real; });
    case TextType::whole:
      return numbers_of<arrow::Int64Builder>(cells, first, rows,
                                             [](const Number& number) { return number.whole; });
    case TextType::natural:
      return numbers_of<arrow::UInt64Builder>(cells, first, rows,
                                              [](const Number& number) { return number.natural; });
    case TextType::text:
      break;
  }
  arrow::StringBuilder builder;
  for (std::size_t i = first; i < first + rows; ++i) {
    ARROW_RETURN_NOT_OK(cells.is_missing(i) ? builder.AppendNull() : builder.Append(cells.text(i)));
  }
  return builder.Finish();
}

// What was passed through from a text file or a block may not be UTF-8, which strings must be.
bool is_valid(const arrow::Array& array) {
  if (array.type_id() != arrow::Type::STRING) return true;
  const auto& texts = static_cast<const arrow::StringArray&>(array);
  for (std::int64_t i = 0; i < texts.length(); ++i) {
    if (!is_utf8(texts.GetView(i))) return false;
  }
  return true;
}

MadeArray made_array(const OriginalColumn& cells, std::size_t first, std::size_t rows) {
  if (const auto* const text = dynamic_cast<const TextCells*>(&cells)) {
    return array_of(*text, first, rows);
  }
  if (const auto* const filled = dynamic_cast<const FilledCells*>(&cells)) {
    return array_of(filled->filled(), first, rows);
  }
  if (const auto* const block = dynamic_cast<const BlockCells*>(&cells)) {
    return array_of(*block, first, rows);
  }
  if (const auto* const numbers = dynamic_cast<const NumberCells*>(&cells)) {
    return array_of(*numbers, first, rows);
  }
  throw std::logic_error("cells of an unknown sort");
}

}  // namespace

ArrowColumn arrow_column(const WrittenColumn& column, std::size_t rows, const std::string& name,
                         const std::string& path) {
  const auto& given = *column.cells;
  if (const auto* const cells = dynamic_cast<const ArrowCells*>(&given)) {
    return {cells->field(), cells->array()->Slice(static_cast<std::int64_t>(column.first),
                                                  static_cast<std::int64_t>(rows))};
  }
  // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): a reference is never null
  auto array = require(made_array(given, column.first, rows), path, "the file cannot be written");
  if (!is_valid(*array)) fail_not_utf8(path, name);
  return {arrow::field(name, array->type()), std::move(array)};
}

}  // namespace fsieve::io
