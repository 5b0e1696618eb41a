#include "table/held_values.h"

#include <algorithm>
#include <utility>

namespace fsieve::io::inline table {

bool HeldValues::extend(std::size_t rows, double expected) {
  const std::size_t needed = rows_ + rows;
  if (needed > most_rows_) return false;
  if (needed > stride_) {
    // When the guess was too low, enough not to come here often.
    const double wanted =
        std::max({expected, 1.1 * static_cast<double>(stride_), static_cast<double>(needed)});
    set_stride(wanted < static_cast<double>(most_rows_) ? static_cast<std::size_t>(wanted)
                                                        : most_rows_);
  }
  rows_ = needed;
  return true;
}

void HeldValues::set_stride(std::size_t stride) {
  std::vector<double> wider(columns_ * stride);
  for (std::size_t j = 0; j < columns_; ++j) {
    std::copy_n(values_.data() + j * stride_, rows_, wider.data() + j * stride);
  }
  values_ = std::move(wider);
  stride_ = stride;
}

void HeldValues::keep(const std::vector<std::size_t>& columns) {
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (k != columns[k]) {
      std::copy_n(values_.data() + columns[k] * stride_, rows_, values_.data() + k * stride_);
    }
  }
  columns_ = columns.size();
}

std::vector<double> HeldValues::close() {
  for (std::size_t j = 1; j < columns_; ++j) {
    const auto from = values_.begin() + static_cast<std::ptrdiff_t>(j * stride_);
    std::copy(from, from + static_cast<std::ptrdiff_t>(rows_),
              values_.begin() + static_cast<std::ptrdiff_t>(j * rows_));
  }
  values_.resize(columns_ * rows_);
  stride_ = 0;
  return std::move(values_);
}

}  // namespace fsieve::io::table
