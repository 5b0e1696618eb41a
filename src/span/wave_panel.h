// The diagonal block of a wave's inner products that is factorised at a time: where it is decided
// which parities stay.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

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

}  // namespace fsieve::span
