// Columns that another program holds in memory: NumPy arrays, Arrow arrays. They are read where
// they lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "table/number_convert.h"
#include "table/table_file.h"

namespace fsieve::io::inline table {

class HeldColumn {
 public:
  virtual ~HeldColumn() = default;
  [[nodiscard]] virtual std::size_t rows() const = 0;

  // The cells of rows [first, first + count).
  virtual void read(std::size_t first, std::size_t count, Cells& cells) const = 0;
};

// Numbers that lie at equal distances.
struct NumberPiece {
  const char* first = nullptr;
  std::ptrdiff_t step = 0;  // bytes
  std::size_t rows = 0;
  char kind = 'f';  // as number_converter() knows them
  std::size_t item_size = sizeof(double);
  bool swapped = false;
  const std::uint8_t* valid = nullptr;  // a bit per row, lowest first; null: no value is missing
  std::size_t first_valid = 0;          // the bit of the first row
  // Of a sparse column: only the values of these rows lie there, ascending; all others are 0.
  const char* stored_rows = nullptr;  // whole numbers of 4 or 8 bytes
  std::size_t stored_rows_size = sizeof(std::int32_t);
  std::size_t stored = 0;
};

// One piece, or several one below the other. `owner` keeps the memory alive.
class NumberColumn final : public HeldColumn {
 public:
  NumberColumn(std::vector<NumberPiece> pieces, std::shared_ptr<const void> owner);

  [[nodiscard]] std::size_t rows() const override { return rows_; }
  void read(std::size_t first, std::size_t count, Cells& cells) const override;

  // Values of rows [first, first + count), NaN where missing.
  void values(std::size_t first, std::size_t count, double* out) const;
  // Values of these rows, which must be in ascending order.
  void values(std::span<const std::size_t> rows, double* out) const;

  // Whether there is a number in each of rows [first, first + count).
  [[nodiscard]] bool finite(std::size_t first, std::size_t count) const;

  // Whether there are whole numbers that a double may not hold.
  [[nodiscard]] bool beyond_exact() const;
  // Whether there are only such, and all are one double.
  [[nodiscard]] bool rounds_to_one() const;

  // The numbers themselves where they are doubles one after another; else null.
  [[nodiscard]] const double* plain() const;
  // The same where they lie further apart than that.
  struct Spaced {
    const double* first = nullptr;
    std::size_t step = 0;  // numbers
  };
  [[nodiscard]] Spaced spaced() const;
  // Whether reading many rows of one such column touches memory that others lie in.
  [[nodiscard]] bool interleaved() const;

 private:
  // Calls work(piece, first row in it, number of rows) for the pieces of some rows.
  template <typename Work>
  void for_rows(std::size_t first, std::size_t count, const Work& work) const;

  std::vector<NumberPiece> pieces_;
  std::shared_ptr<const void> owner_;
  std::size_t rows_ = 0;
  bool wide_whole_ = false;  // whole numbers of eight bytes
};

// Texts, as positions in a table of distinct ones (Cells::kNull: missing). Those that no row has
// are forgotten.
class TextColumn final : public HeldColumn {
 public:
  TextColumn(std::vector<std::int32_t> codes, std::vector<std::string> texts);

  [[nodiscard]] std::size_t rows() const override { return codes_.size(); }
  void read(std::size_t first, std::size_t count, Cells& cells) const override;

 private:
  std::vector<std::int32_t> codes_;
  std::vector<std::string> texts_;
};

}  // namespace fsieve::io::table
