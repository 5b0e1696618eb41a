// The diagonal block of a wave's inner products that is factorised at a time: where it is decided
// which parities stay.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "base/buffer.h"

namespace fsieve::inline span {

class WavePanel {
 public:
  // Parities [begin, end); `gram` holds the lower triangle of what is left of their inner products,
  // its first entry that of `begin` with itself. For each, in order, `keep` is told (and may ask
  // for what is left of others by residual2) and says whether it stays; then its column in `gram`
  // holds coordinates. Returns those that stay.
  std::vector<std::size_t> factorise(std::size_t begin, std::size_t end, double* gram,
                                     std::size_t stride,
                                     const std::function<bool(std::size_t)>& keep);

  // What is left of parity q of the panel in work, squared.
  [[nodiscard]] double residual2(std::size_t q) const {
    return values_[(q - begin_) + (q - begin_) * width_];
  }

  // The coordinates of these parities on each other: lower triangular.
  [[nodiscard]] std::vector<double> coordinates(const std::vector<std::size_t>& kept) const;

 private:
  std::vector<double> values_;
  std::size_t begin_ = 0;
  std::size_t width_ = 0;
};

// What the two kinds of waves (wave.h, wave_on_demand.h) hold: columns of new parities, the `old`
// functions of the basis so far above the new ones.
class WaveColumns {
 public:
  // What is left of new parity q of the panel in work.
  [[nodiscard]] double residual2(std::size_t q) const { return panel_.residual2(q); }

  // Coordinate of new parity q on old function k, of new parity `row` on the function that new
  // parity q became.
  [[nodiscard]] double on_old(std::size_t q, std::size_t k) const {
    return data_.data()[k + q * height_];
  }
  [[nodiscard]] double on_new(std::size_t row, std::size_t q) const {
    return data_.data()[old_ + row + q * height_];
  }

 protected:
  WaveColumns(Buffer data, std::size_t old_rows, std::size_t height)
      : data_(std::move(data)), old_(old_rows), height_(height) {}

  double* at(std::size_t row, std::size_t q) { return data_.data() + old_ + row + q * height_; }

  Buffer data_;
  std::size_t old_;
  std::size_t height_;
  WavePanel panel_;  // the diagonal block in work
};

}  // namespace fsieve::span
