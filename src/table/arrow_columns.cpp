#include "table/arrow_columns.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "fsieve/error.h"
#include "table/missing_cells.h"

namespace fsieve::io::inline table {
namespace {

// What the producer made is the producer's to release.
template <typename Structure>
struct Owned {
  Structure value{};

  Owned() = default;
  Owned(Owned&& other) noexcept : value(other.value) { other.value.release = nullptr; }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Owned& operator=(Owned&&) = delete;
  ~Owned() {
    if (value.release != nullptr) value.release(&value);
  }
};

using Batches = std::vector<Owned<ArrowArray>>;

// Rows of one array: where it begins in its buffers, and which rows have a value.
struct Rows {
  const ArrowArray* array = nullptr;
  std::size_t first = 0;
  std::size_t count = 0;

  [[nodiscard]] const std::uint8_t* validity() const {
    if (array->n_buffers == 0 || array->null_count == 0) return nullptr;
    return static_cast<const std::uint8_t*>(array->buffers[0]);
  }
  [[nodiscard]] bool has_value(std::size_t i) const {
    const std::uint8_t* const bits = validity();
    return bits == nullptr || bit(bits, first + i);
  }
  template <typename T>
  [[nodiscard]] const T* buffer(int which) const {
    return static_cast<const T*>(array->buffers[which]);
  }
  static bool bit(const std::uint8_t* bits, std::size_t i) {
    return (bits[i / 8] >> (i % 8) & 1U) != 0;
  }
};

struct NumberFormat {
  char kind;
  std::size_t item_size;
};

// The letters of the specification for plain numbers; nothing for all else.
std::optional<NumberFormat> number_format(std::string_view format) {
  if (format.size() != 1) return std::nullopt;
  switch (format[0]) {
    case 'c':
      return NumberFormat{'i', 1};
    case 'C':
      return NumberFormat{'u', 1};
    case 's':
      return NumberFormat{'i', 2};
    case 'S':
      return NumberFormat{'u', 2};
    case 'i':
      return NumberFormat{'i', 4};
    case 'I':
      return NumberFormat{'u', 4};
    case 'l':
      return NumberFormat{'i', 8};
    case 'L':
      return NumberFormat{'u', 8};
    case 'e':
      return NumberFormat{'f', 2};
    case 'f':
      return NumberFormat{'f', 4};
    case 'g':
      return NumberFormat{'f', 8};
    default:
      return std::nullopt;
  }
}

// How many units of a date or timestamp make a day; none: it is neither. "tdD", "tdm", "tsu:UTC".
std::optional<double> units_per_day(std::string_view format) {
  constexpr double seconds = 86400;
  if (format == "tdD") return 1;
  if (format == "tdm" || format.starts_with("tsm")) return seconds * 1e3;
  if (format.starts_with("tss")) return seconds;
  if (format.starts_with("tsu")) return seconds * 1e6;
  if (format.starts_with("tsn")) return seconds * 1e9;
  return std::nullopt;
}

bool is_text_format(std::string_view format) {
  return format == "u" || format == "U" || format == "vu";
}

// "d:precision,scale[,bits]"
struct DecimalFormat {
  int scale = 0;
  int bits = 128;
};

std::optional<DecimalFormat> decimal_format(std::string_view format) {
  if (!format.starts_with("d:")) return std::nullopt;
  std::vector<int> numbers;
  for (const char* at = format.data() + 2; at < format.data() + format.size();) {
    int number = 0;
    const auto read = std::from_chars(at, format.data() + format.size(), number);
    if (read.ec != std::errc{}) return std::nullopt;
    numbers.push_back(number);
    at = read.ptr + 1;
  }
  if (numbers.size() < 2) return std::nullopt;
  return DecimalFormat{numbers[1], numbers.size() > 2 ? numbers[2] : 128};
}

std::string_view text_at(const Rows& rows, std::string_view format, std::size_t i) {
  const std::size_t at = rows.first + i;
  const auto cut = [&](const auto* offsets) {
    const char* const bytes = rows.buffer<char>(2);
    return std::string_view(bytes + offsets[at], static_cast<std::size_t>(offsets[at + 1]) -
                                                     static_cast<std::size_t>(offsets[at]));
  };
  if (format == "u") return cut(rows.buffer<std::int32_t>(1));
  if (format == "U") return cut(rows.buffer<std::int64_t>(1));
  // A view of 16 bytes: the length, then up to 12 bytes of text, or (prefix, buffer, offset).
  constexpr std::size_t view_bytes = 16;
  constexpr std::int32_t longest_inline = 12;
  const char* const view = rows.buffer<char>(1) + at * view_bytes;
  std::int32_t length = 0;
  std::memcpy(&length, view, sizeof length);
  if (length <= longest_inline) return {view + 4, static_cast<std::size_t>(length)};
  std::int32_t buffer = 0;
  std::int32_t offset = 0;
  std::memcpy(&buffer, view + 8, sizeof buffer);
  std::memcpy(&offset, view + 12, sizeof offset);
  return {rows.buffer<char>(2 + buffer) + offset, static_cast<std::size_t>(length)};
}

// The value of a decimal of 32, 64 or 128 bits.
double decimal_at(const Rows& rows, const DecimalFormat& format, std::size_t i) {
  const std::size_t at = rows.first + i;
  const double power = std::pow(10.0, format.scale);
  if (format.bits == 32) return rows.buffer<std::int32_t>(1)[at] / power;
  if (format.bits == 64) return static_cast<double>(rows.buffer<std::int64_t>(1)[at]) / power;
  const auto* const words = rows.buffer<std::uint64_t>(1) + 2 * at;
  const auto high = static_cast<std::int64_t>(words[1]);
  const bool small = high == (static_cast<std::int64_t>(words[0]) < 0 ? -1 : 0);
  if (small) return static_cast<double>(static_cast<std::int64_t>(words[0])) / power;
  const long double whole =
      static_cast<long double>(high) * 18446744073709551616.0L + static_cast<long double>(words[0]);
  return static_cast<double>(whole / static_cast<long double>(power));
}

// Gathers one column over the batches.
class ColumnBuilder {
 public:
  explicit ColumnBuilder(const ArrowSchema& schema) : format_(schema.format) {
    values_format_ = schema.dictionary != nullptr ? schema.dictionary->format : format_;
    is_dictionary_ = schema.dictionary != nullptr;
    const bool known = number_format(values_format_) || is_text_format(values_format_) ||
                       supported_decimal(values_format_) || values_format_ == "b" ||
                       values_format_ == "n" || (units_per_day(format_) && !is_dictionary_);
    if (!known) unusable_ = values_format_;
  }

  void add(const Rows& rows) {
    if (rows.count == 0) return;
    if (!unusable_.empty()) {
      pieces_.push_back({reinterpret_cast<const char*>(&missing_value), 0, rows.count});
    } else if (is_dictionary_) {
      add_dictionary(rows);
    } else if (is_text_format(format_)) {
      add_texts(rows);
    } else if (const auto number = number_format(format_)) {
      NumberPiece piece{rows.buffer<char>(1) + rows.first * number->item_size,
                        static_cast<std::ptrdiff_t>(number->item_size),
                        rows.count,
                        number->kind,
                        number->item_size,
                        false,
                        rows.validity(),
                        rows.first};
      pieces_.push_back(piece);
    } else {
      add_converted(converted(rows, format_));
    }
  }

  NamedColumn finish(std::string name, const std::shared_ptr<const Batches>& batches) {
    NamedColumn column{std::move(name), nullptr, unusable_name(),
                       !is_dictionary_ && units_per_day(format_).has_value()};
    if (is_text_format(values_format_)) {
      column.cells = std::make_shared<TextColumn>(std::move(codes_), std::move(texts_));
      return column;
    }
    struct Memory {
      std::shared_ptr<const Batches> batches;
      std::vector<std::unique_ptr<std::vector<double>>> converted;
    };
    auto memory = std::make_shared<Memory>(Memory{batches, std::move(converted_)});
    column.cells = std::make_shared<NumberColumn>(std::move(pieces_), std::move(memory));
    return column;
  }

 private:
  static bool supported_decimal(std::string_view format) {
    const auto decimal = decimal_format(format);
    return decimal && decimal->bits <= 128;
  }

  // As a person calls the most frequent of them.
  [[nodiscard]] std::string unusable_name() const {
    if (unusable_.starts_with("td")) return "date";
    if (unusable_.starts_with("ts")) return "timestamp";
    if (unusable_.starts_with("tt")) return "time";
    if (unusable_.starts_with("tD")) return "duration";
    if (unusable_.starts_with("+")) return "nested";
    if (unusable_ == "z" || unusable_ == "Z" || unusable_ == "vz") return "binary";
    return unusable_.empty() ? "" : fmt::format("\"{}\" (Arrow format)", unusable_);
  }

  // Booleans, decimals, dates and the type of nothing but missing values, as doubles.
  static std::vector<double> converted(const Rows& rows, std::string_view format) {
    std::vector<double> values(rows.count, missing_value);
    if (format == "n") return values;
    const auto number = number_format(format);
    const auto decimal = decimal_format(format);
    const auto per_day = units_per_day(format);
    for (std::size_t i = 0; i < rows.count; ++i) {
      if (!rows.has_value(i)) continue;
      if (per_day && format == "tdD") {
        values[i] = rows.buffer<std::int32_t>(1)[rows.first + i];
      } else if (per_day) {
        values[i] = static_cast<double>(rows.buffer<std::int64_t>(1)[rows.first + i]) / *per_day;
      } else if (number) {
        const char* const at = rows.buffer<char>(1) + (rows.first + i) * number->item_size;
        number_converter(number->kind, number->item_size)(at, 0, false, &values[i], 1);
      } else if (decimal) {
        values[i] = decimal_at(rows, *decimal, i);
      } else {
        values[i] = Rows::bit(rows.buffer<std::uint8_t>(1), rows.first + i) ? 1 : 0;
      }
    }
    return values;
  }

  void add_converted(std::vector<double> values) {
    converted_.push_back(std::make_unique<std::vector<double>>(std::move(values)));
    const std::vector<double>& held = *converted_.back();
    NumberPiece piece;
    piece.first = reinterpret_cast<const char*>(held.data());
    piece.step = sizeof(double);
    piece.rows = held.size();
    pieces_.push_back(piece);
  }

  std::int32_t code_of(std::string_view text) {
    if (const auto known = positions_.find(text); known != positions_.end()) return known->second;
    const auto code = static_cast<std::int32_t>(texts_.size());
    texts_.emplace_back(text);
    positions_.emplace(text, code);  // the batches, and so the text, stay until the end
    return code;
  }

  void add_texts(const Rows& rows) {
    codes_.reserve(codes_.size() + rows.count);
    for (std::size_t i = 0; i < rows.count; ++i) {
      codes_.push_back(rows.has_value(i) ? code_of(text_at(rows, format_, i)) : Cells::kNull);
    }
  }

  void add_dictionary(const Rows& rows) {
    const ArrowArray& dictionary = *rows.array->dictionary;
    const Rows values{&dictionary, static_cast<std::size_t>(dictionary.offset),
                      static_cast<std::size_t>(dictionary.length)};
    const std::vector<double> positions = converted(rows, format_);
    const auto position = [&](std::size_t i) { return static_cast<std::size_t>(positions[i]); };
    if (!is_text_format(values_format_)) {
      const std::vector<double> numbers = converted(values, values_format_);
      std::vector<double> cells(rows.count, missing_value);
      for (std::size_t i = 0; i < rows.count; ++i) {
        if (!std::isnan(positions[i])) cells[i] = numbers[position(i)];
      }
      return add_converted(std::move(cells));
    }
    std::vector<std::int32_t> codes(values.count);
    for (std::size_t v = 0; v < values.count; ++v) {
      codes[v] = values.has_value(v) ? code_of(text_at(values, values_format_, v)) : Cells::kNull;
    }
    for (std::size_t i = 0; i < rows.count; ++i) {
      codes_.push_back(std::isnan(positions[i]) ? Cells::kNull : codes[position(i)]);
    }
  }

  std::string format_;
  std::string values_format_;  // of a dictionary's values, else the same
  bool is_dictionary_ = false;
  std::string unusable_;
  std::vector<NumberPiece> pieces_;
  std::vector<std::unique_ptr<std::vector<double>>> converted_;
  std::vector<std::int32_t> codes_;
  std::vector<std::string> texts_;
  std::unordered_map<std::string_view, std::int32_t> positions_;
};

void check(int status, ArrowArrayStream& stream, const std::string& name) {
  if (status == 0) return;
  const char* const why = stream.get_last_error(&stream);
  throw Error(fmt::format("{}: its Arrow stream broke off ({})", name,
                          why != nullptr ? why : std::strerror(status)));
}

}  // namespace

std::vector<NamedColumn> arrow_columns(ArrowArrayStream& stream, const std::string& name) {
  Owned<ArrowSchema> schema;
  check(stream.get_schema(&stream, &schema.value), stream, name);
  auto batches = std::make_shared<Batches>();
  while (true) {
    Owned<ArrowArray> batch;
    check(stream.get_next(&stream, &batch.value), stream, name);
    if (batch.value.release == nullptr) break;
    batches->push_back(std::move(batch));
  }
  const bool table = std::string_view(schema.value.format) == "+s";
  const auto count = table ? static_cast<std::size_t>(schema.value.n_children) : 1;
  std::vector<NamedColumn> columns;
  for (std::size_t j = 0; j < count; ++j) {
    const ArrowSchema& field = table ? *schema.value.children[j] : schema.value;
    ColumnBuilder builder(field);
    for (const auto& batch : *batches) {
      const ArrowArray& whole = batch.value;
      const ArrowArray& array = table ? *whole.children[j] : whole;
      const std::int64_t first = table ? whole.offset + array.offset : whole.offset;
      builder.add(
          {&array, static_cast<std::size_t>(first), static_cast<std::size_t>(whole.length)});
    }
    columns.push_back(builder.finish(field.name != nullptr ? field.name : "", batches));
  }
  return columns;
}

}  // namespace fsieve::io::table
