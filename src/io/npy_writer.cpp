#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <utility>

#include "base/shown_text.h"
#include "fsieve/error.h"
#include "io/npy_format.h"
#include "io/table_writer.h"
#include "table/whole_number.h"

namespace fsieve::io {
namespace {

// An array has one type: that of the columns where they agree, else double.
class NpyWriter final : public TableWriter {
 public:
  NpyWriter(ByteSink& sink, std::string path, WriterColumns columns)
      : sink_(sink), path_(std::move(path)), columns_(std::move(columns)) {}

  void write(const WrittenRows& rows) override {
    if (!begun_) begin(rows);
    const std::size_t width = rows.columns.size();
    bytes_.resize(rows.rows * width * type_.size);
    for (std::size_t j = 0; j < width; ++j) {
      const WrittenColumn& column = rows.columns[j];
      for (std::size_t i = 0; i < rows.rows; ++i) {
        put(column.cells->number(column.first + i), j,
            bytes_.data() + (i * width + j) * type_.size);
      }
    }
    sink_.write({bytes_.data(), bytes_.size()});
  }

  void finish() override {}

 private:
  void begin(const WrittenRows& rows) {
    begun_ = true;
    for (std::size_t j = 0; j < rows.columns.size(); ++j) {
      const auto type = rows.columns[j].cells->number_type();
      if (!type) {
        throw Error(
            fmt::format("{}: column \"{}\" is not of numbers, and NPY files hold only numbers",
                        path_, shown(columns_.names[j])));
      }
      if (j == 0) type_ = *type;
      if (*type != type_) same_type_ = false;
    }
    constexpr NumberType half{'f', 2};
    if (!same_type_ || type_ == half) type_ = NumberType{};
    sink_.write(npy_header_text(type_, columns_.rows, columns_.names.size()));
  }

  void put(const Number& number, std::size_t column, char* to) const {
    if (type_.kind == 'f') {
      const double value = number.as_double();
      const bool rounded = number.sort != Number::Sort::real && is_beyond_exact(value);
      if (rounded) fail_rounded(column);
      const auto single = static_cast<float>(value);  // as it was, where this is the type
      const bool is_single = type_.size == sizeof single;
      std::memcpy(to, is_single ? static_cast<const void*>(&single) : &value, type_.size);
      return;
    }
    // Of this type, so it fits; the lower bytes come first on machines that are little-endian.
    const std::uint64_t bits = number.sort == Number::Sort::whole
                                   ? static_cast<std::uint64_t>(number.whole)
                                   : number.natural;
    const std::size_t skipped =
        std::endian::native == std::endian::little ? 0 : sizeof bits - type_.size;
    std::memcpy(to, reinterpret_cast<const char*>(&bits) + skipped, type_.size);
  }

  [[noreturn]] void fail_rounded(std::size_t column) const {
    throw Error(
        fmt::format("{}: column \"{}\" has whole numbers beyond 2^53, which an NPY file of doubles "
                    "cannot hold (leave it out, or write .parquet or .csv)",
                    path_, shown(columns_.names[column])));
  }

  ByteSink& sink_;
  std::string path_;
  WriterColumns columns_;
  NumberType type_;
  bool begun_ = false;
  bool same_type_ = true;
  std::vector<char> bytes_;  // some rows, one after another
};

}  // namespace

std::unique_ptr<TableWriter> make_npy_writer(ByteSink& sink, const std::string& path,
                                             WriterColumns columns) {
  return std::make_unique<NpyWriter>(sink, path, std::move(columns));
}

}  // namespace fsieve::io
