// A column of a text file as it is spelled there, and the type that holds all of it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "table/cell_text.h"
#include "table/original_column.h"

namespace fsieve::io::inline table {

class TextCells final : public OriginalColumn {
 public:
  // `cells` must outlive it.
  TextCells(const CellReader& cells, TextType type) : cells_(&cells), type_(type) {}

  void add(std::string_view text, bool quoted);

  [[nodiscard]] std::size_t rows() const { return ends_.size(); }
  [[nodiscard]] std::string_view text(std::size_t row) const;
  [[nodiscard]] bool is_missing(std::size_t row) const;
  [[nodiscard]] TextType type() const { return type_; }

  void append_csv(std::size_t row, char delimiter, std::string& out) const override;
  [[nodiscard]] bool append_json(std::size_t row, std::string& out) const override;
  [[nodiscard]] std::optional<NumberType> number_type() const override;
  [[nodiscard]] Number number(std::size_t row) const override;
  [[nodiscard]] std::shared_ptr<const OriginalColumn> take(
      std::span<const std::size_t> rows) const override;

 private:
  const CellReader* cells_;
  TextType type_;
  std::string bytes_;
  std::vector<std::size_t> ends_;  // of the cells in `bytes_`
  std::vector<bool> quoted_;
};

// Sees all cells of a column. Doubles where they hold every number as it is spelled in digits, else
// 64-bit whole numbers where these do, else text.
class TextTypeScan {
 public:
  void add(std::string_view text, const CellReader& cells);
  [[nodiscard]] TextType type() const;

 private:
  bool any_text_ = false;
  bool any_inexact_ = false;  // a whole number that no double is
  bool all_whole_ = true;
  bool all_signed_ = true;
  bool all_unsigned_ = true;
};

}  // namespace fsieve::io::table
