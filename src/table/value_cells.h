// Columns that are written from numbers in memory: those of a NumPy file, those of a block, and
// those whose missing cells were filled.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fsieve/source.h"
#include "table/original_column.h"

namespace fsieve::io::inline table {

// Numbers of one machine type, one after another, in this machine's byte order.
class NumberCells final : public OriginalColumn {
 public:
  NumberCells(NumberType type, std::vector<char> bytes) : type_(type), bytes_(std::move(bytes)) {}

  [[nodiscard]] const std::vector<char>& bytes() const { return bytes_; }

  void append_csv(std::size_t row, char delimiter, std::string& out) const override;
  [[nodiscard]] bool append_json(std::size_t row, std::string& out) const override;
  [[nodiscard]] std::optional<NumberType> number_type() const override { return type_; }
  [[nodiscard]] Number number(std::size_t row) const override;
  [[nodiscard]] std::shared_ptr<const OriginalColumn> take(
      std::span<const std::size_t> rows) const override;

 private:
  NumberType type_;
  std::vector<char> bytes_;
};

// A column of a block. `column` and `values` must outlive it.
class BlockCells final : public OriginalColumn {
 public:
  BlockCells(const Column& column, std::span<const double> values)
      : column_(&column), values_(values) {}

  [[nodiscard]] const Column& column() const { return *column_; }
  [[nodiscard]] std::span<const double> values() const { return values_; }

  void append_csv(std::size_t row, char delimiter, std::string& out) const override;
  [[nodiscard]] bool append_json(std::size_t row, std::string& out) const override;
  [[nodiscard]] std::optional<NumberType> number_type() const override;
  [[nodiscard]] Number number(std::size_t row) const override;

 private:
  [[nodiscard]] const std::string& level(std::size_t row) const;

  const Column* column_;
  std::span<const double> values_;
};

// A column of a file under Missing::mean: missing cells hold the fill, the others stay as they are.
// Where types are written the column is one of doubles, or of text.
class FilledCells final : public OriginalColumn {
 public:
  // `decoded`: the cells as a block would hold them, NaN where `fill` stands.
  FilledCells(std::shared_ptr<const OriginalColumn> cells, const Column& column,
              std::vector<double> decoded, double fill);

  // The column as a block would hold it.
  [[nodiscard]] const BlockCells& filled() const { return filled_; }

  void append_csv(std::size_t row, char delimiter, std::string& out) const override;
  [[nodiscard]] bool append_json(std::size_t row, std::string& out) const override;
  [[nodiscard]] std::optional<NumberType> number_type() const override;
  [[nodiscard]] Number number(std::size_t row) const override;

 private:
  std::shared_ptr<const OriginalColumn> cells_;
  std::vector<bool> missing_;
  std::vector<double> values_;
  BlockCells filled_;
};

}  // namespace fsieve::io::table
