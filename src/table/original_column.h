// One column of some rows as it stands in its file, which is what a table that is written keeps:
// values, type and, from CSV to CSV, spelling. Every format that is read has its own sort.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fsieve::io::inline table {

// A type of numbers, in NumPy's letters.
struct NumberType {
  char kind = 'f';  // f, i, u or b
  std::size_t size = sizeof(double);

  bool operator==(const NumberType&) const = default;
};

// One number of any such type.
struct Number {
  enum class Sort { missing, real, whole, natural } sort = Sort::missing;
  double real = 0;
  std::int64_t whole = 0;
  std::uint64_t natural = 0;

  [[nodiscard]] double as_double() const;
};

class OriginalColumn {
 public:
  virtual ~OriginalColumn() = default;

  // The cell as a field of a CSV file, quoted where it must be.
  virtual void append_csv(std::size_t row, char delimiter, std::string& out) const = 0;

  // The cell as a JSON value; false when it has text that is not UTF-8.
  [[nodiscard]] virtual bool append_json(std::size_t row, std::string& out) const = 0;

  // What numbers it holds; none: it holds something else.
  [[nodiscard]] virtual std::optional<NumberType> number_type() const { return std::nullopt; }
  [[nodiscard]] virtual Number number(std::size_t row) const = 0;

  // These rows only. For columns of a file, whose rows may be dropped.
  [[nodiscard]] virtual std::shared_ptr<const OriginalColumn> take(
      std::span<const std::size_t> rows) const;
};

// How the cells of a text file are to be understood where types are written.
enum class TextType {
  text,
  real,     // doubles
  whole,    // whole numbers of 64 bits
  natural,  // the same without a sign
};

struct OriginalRequest {
  std::size_t column = 0;  // position in the file
  TextType type = TextType::text;
};

// Helpers of those that write cells.
void append_csv_text(std::string_view text, char delimiter, std::string& out);
void append_quoted(std::string_view text, std::string& out);
[[nodiscard]] bool append_json_text(std::string_view text, std::string& out);
void append_csv_number(const Number& number, std::string& out);
void append_json_number(const Number& number, std::string& out);

}  // namespace fsieve::io::table
