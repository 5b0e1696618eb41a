// Aligned columns of text, and the width of text on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fsieve::inline report {

// Columns of names are cut to fit the width, but not below this.
inline constexpr std::size_t narrowest_names = 30;

// Columns a UTF-8 text takes on a terminal: East Asian wide characters two, combining marks none.
[[nodiscard]] std::size_t display_width(std::string_view text);

// The longest beginning of the text that is at most `width` wide; never cuts a character in two.
[[nodiscard]] std::string_view fitting_part(std::string_view text, std::size_t width);

// Cut to `width`, the last column being "…" where something is missing.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t width);

enum class Align { left, right };

class TextTable {
 public:
  struct ColumnStyle {
    std::string heading;
    Align align = Align::left;
  };

  explicit TextTable(std::vector<ColumnStyle> columns);

  void add(std::vector<std::string> cells);

  [[nodiscard]] bool empty() const { return rows_.empty(); }

  // Width of the columns before `column`, gaps included.
  [[nodiscard]] std::size_t width_before(std::size_t column) const;

  // Every line begins with two blanks and ends without any. Headings are wrapped in `before` and
  // `after` (colour codes).
  [[nodiscard]] std::string text(std::string_view before, std::string_view after) const;

 private:
  [[nodiscard]] std::string line(const std::vector<std::string>& cells) const;

  std::vector<ColumnStyle> columns_;
  std::vector<std::size_t> widths_;
  std::vector<std::vector<std::string>> rows_;
};

// Words separated by two blanks, on lines of at most `width`, each beginning with two blanks.
[[nodiscard]] std::string wrapped(const std::vector<std::string>& words, std::size_t width);

// The words of a text, one blank between them, on lines of at most `width`; all lines but the first
// begin with `indent` blanks.
[[nodiscard]] std::string filled(std::string_view text, std::size_t width, std::size_t indent);

}  // namespace fsieve::report
