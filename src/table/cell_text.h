// What the text of a cell means: missing, a number, or just text.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace fsieve::io::inline table {

enum class CellKind {
  missing,
  nan,  // "nan": missing in a numeric column, a level in a categorical one
  number,
  text
};

// Blanks (space and tab) around a cell never count.
[[nodiscard]] std::string_view trim_blanks(std::string_view text);

// A decimal or scientific number; a number too large for a double, and "inf", give infinity.
// False when the text is anything else; "nan" gives NaN.
[[nodiscard]] bool parse_number(std::string_view text, double& value);

// The shortest text that reads back to the same number; whole numbers have no decimal point.
[[nodiscard]] std::string number_text(double value);
void append_number(std::string& out, double value);

[[nodiscard]] bool is_utf8(std::string_view text);

class CellReader {
 public:
  // `na`: texts that count as missing. One that is a number stands for its value ("-999" also
  // makes -999.0 missing). `decimal`: what stands before the decimals, a point or a comma; with a
  // comma nothing that has a point is a number.
  explicit CellReader(const std::vector<std::string>& na, char decimal = '.');

  [[nodiscard]] bool parse(std::string_view text, double& value) const;
  [[nodiscard]] bool decimal_comma() const { return decimal_comma_; }

  // Sets `value` when the text is a number.
  CellKind classify(std::string_view text, double& value) const;

  [[nodiscard]] bool is_missing(double value) const {
    if (value != value) return true;
    for (const double na : na_numbers_) {
      if (na == value) return true;
    }
    return false;
  }
  [[nodiscard]] bool has_na_numbers() const { return !na_numbers_.empty(); }

 private:
  [[nodiscard]] bool is_missing_text(std::string_view text) const;

  std::unordered_set<std::string> na_texts_;
  std::vector<double> na_numbers_;
  bool decimal_comma_;
};

}  // namespace fsieve::io::table
