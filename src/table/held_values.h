// The values of a table, column by column, while its number of rows is still unknown.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace fsieve::io::inline table {

// Columns lie in one piece of memory with room behind each; close() moves them together. So a table
// is never held twice, as it would be with a vector per column.
class HeldValues {
 public:
  HeldValues(std::size_t columns, std::size_t most_bytes)
      : columns_(columns),
        most_rows_(most_bytes / sizeof(double) / std::max<std::size_t>(columns, 1)) {}

  // Adds rows to every column; `expected` is a guess of how many there will be in all. False when
  // they do not fit into the memory allowed.
  [[nodiscard]] bool extend(std::size_t rows, double expected);

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::span<double> column(std::size_t j) {
    return {values_.data() + j * stride_, rows_};
  }

  // Keeps these columns only (ascending).
  void keep(const std::vector<std::size_t>& columns);

  // Keeps the first `rows` rows only.
  void shorten(std::size_t rows) { rows_ = rows; }

  // The columns without gaps. Nothing is held afterwards.
  [[nodiscard]] std::vector<double> close();

 private:
  void set_stride(std::size_t stride);

  std::size_t columns_;
  std::size_t most_rows_;
  std::size_t rows_ = 0;
  std::size_t stride_ = 0;
  std::vector<double> values_;
};

}  // namespace fsieve::io::table
