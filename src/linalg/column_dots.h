// Inner products of many columns with a few functions, in single precision. A matrix product with
// so few spends most of its time on copies of the columns.
#pragma once

#include <cstddef>
#include <vector>

namespace fsieve::blas {

// Rows are looked at so many at a time: that many numbers less one behind a column are read too,
// and times 0.
constexpr std::size_t rows_of_dots = 16;

// A few functions over the same rows, with zeros behind them up to whole lots of rows.
class FewFunctions {
 public:
  void resize(std::size_t rows, std::size_t count);
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] float* operator[](std::size_t f) { return values_.data() + f * stride_; }
  [[nodiscard]] const float* operator[](std::size_t f) const {
    return values_.data() + f * stride_;
  }

 private:
  std::size_t rows_ = 0;
  std::size_t count_ = 0;
  std::size_t stride_ = 0;
  std::vector<float> values_;
};

// sums[f * stride + c] += <function f, column c>, for rows up to rows_at_once_in_dots; what is off
// is what rounding_of_inner_product() says.
constexpr std::size_t rows_at_once_in_dots = 1024;
void add_column_dots(const FewFunctions& functions, const float* const* columns, std::size_t count,
                     float* sums, std::size_t stride);
// The same for the columns' squares.
void add_square_dots(const FewFunctions& functions, const float* const* columns, std::size_t count,
                     float* sums, std::size_t stride);

}  // namespace fsieve::blas
