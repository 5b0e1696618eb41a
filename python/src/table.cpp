#include "table.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "table/arrow_columns.h"

namespace nb = nanobind;

namespace fsieve::python {
namespace {

char kind_of(const nb::dlpack::dtype& type) {
  using nb::dlpack::dtype_code;
  const auto is = [&](dtype_code code) { return type.code == static_cast<std::uint8_t>(code); };
  if (is(dtype_code::Float)) return 'f';
  if (is(dtype_code::Int)) return 'i';
  if (is(dtype_code::UInt)) return 'u';
  if (is(dtype_code::Bool)) return 'b';
  throw nb::type_error("an array of numbers is needed");
}

// The array lives as long as a column refers to it; columns are let go of with the lock held.
std::shared_ptr<const void> owner_of(const AnyArray& array) {
  return std::make_shared<const AnyArray>(array);
}

}  // namespace

void Table::add_numbers(const std::vector<std::string>& names, const AnyArray& values) {
  const std::size_t columns = values.ndim() == 1 ? 1 : values.shape(1);
  if (values.ndim() < 1 || values.ndim() > 2 || columns != names.size()) {
    throw nb::value_error("one name per column of an array of one or two dimensions is needed");
  }
  const auto owner = owner_of(values);
  const auto bytes = static_cast<std::ptrdiff_t>(values.itemsize());
  for (std::size_t j = 0; j < columns; ++j) {
    const std::ptrdiff_t across = values.ndim() == 1 ? 0 : values.stride(1) * bytes;
    io::NumberPiece piece;
    piece.first = static_cast<const char*>(values.data()) + static_cast<std::ptrdiff_t>(j) * across;
    piece.step = values.stride(0) * bytes;
    piece.rows = values.shape(0);
    piece.kind = kind_of(values.dtype());
    piece.item_size = values.itemsize();
    columns_.push_back(
        {names[j], std::make_shared<io::NumberColumn>(std::vector{piece}, owner), ""});
  }
}

void Table::add_sparse(const std::vector<std::string>& names, const AnyArray& values,
                       const AnyArray& stored_rows, const std::vector<std::size_t>& starts,
                       std::size_t rows) {
  const bool fits = starts.size() == names.size() + 1 && starts.front() == 0 &&
                    std::is_sorted(starts.begin(), starts.end()) &&
                    starts.back() <= values.shape(0) && starts.back() <= stored_rows.shape(0) &&
                    values.stride(0) == 1 && stored_rows.stride(0) == 1;
  if (!fits || kind_of(stored_rows.dtype()) != 'i') {
    throw nb::value_error("the parts of a matrix that is stored column by column are needed");
  }
  const auto owner = std::make_shared<const std::pair<AnyArray, AnyArray>>(values, stored_rows);
  for (std::size_t j = 0; j < names.size(); ++j) {
    io::NumberPiece piece;
    piece.first = static_cast<const char*>(values.data()) + starts[j] * values.itemsize();
    piece.step = static_cast<std::ptrdiff_t>(values.itemsize());
    piece.rows = rows;
    piece.kind = kind_of(values.dtype());
    piece.item_size = values.itemsize();
    piece.stored_rows =
        static_cast<const char*>(stored_rows.data()) + starts[j] * stored_rows.itemsize();
    piece.stored_rows_size = stored_rows.itemsize();
    piece.stored = starts[j + 1] - starts[j];
    columns_.push_back(
        {names[j], std::make_shared<io::NumberColumn>(std::vector{piece}, owner), ""});
  }
}

void Table::add_texts(const std::string& name, const Codes& codes, std::vector<std::string> texts) {
  std::vector<std::int32_t> held(codes.data(), codes.data() + codes.shape(0));
  for (const std::int32_t code : held) {
    if (code < -1 || code >= static_cast<std::int32_t>(texts.size())) {
      throw nb::value_error("a code is not a position in the texts");
    }
  }
  columns_.push_back(
      {name, std::make_shared<io::TextColumn>(std::move(held), std::move(texts)), ""});
}

void Table::add_stream(const nb::object& capsule, const std::string& table_name) {
  void* const stream = PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream");
  if (stream == nullptr) throw nb::python_error();
  auto columns = io::arrow_columns(*static_cast<ArrowArrayStream*>(stream), table_name);
  for (auto& column : columns) columns_.push_back(std::move(column));
}

std::vector<std::string> Table::names() const {
  std::vector<std::string> names;
  names.reserve(columns_.size());
  for (const io::NamedColumn& column : columns_) names.push_back(column.name);
  return names;
}

}  // namespace fsieve::python
