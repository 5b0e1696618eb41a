#include "span/wave_panel.h"

#include <algorithm>
#include <cmath>

#include "base/stop.h"
#include "linalg/blas.h"

namespace fsieve::inline span {

std::vector<std::size_t> WavePanel::factorise(std::size_t begin, std::size_t end, double* gram,
                                              std::size_t stride,
                                              const std::function<bool(std::size_t)>& keep) {
  begin_ = begin;
  width_ = end - begin;
  values_.assign(width_ * width_, 0);
  for (std::size_t j = 0; j < width_; ++j) {
    std::copy_n(gram + j + j * stride, width_ - j, values_.data() + j + j * width_);
  }
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < width_; ++i) {
    stop_if_asked();
    if (!keep(begin + i)) continue;
    double* column = values_.data() + i * width_;
    const double norm = std::sqrt(column[i]);
    for (std::size_t k = i; k < width_; ++k) column[k] /= norm;
    for (std::size_t j = i + 1; j < width_; ++j) {
      blas::axpy(width_ - j, -column[j], column + j, values_.data() + j + j * width_);
    }
    std::copy_n(column + i, width_ - i, gram + i + i * stride);
    kept.push_back(begin + i);
  }
  return kept;
}

std::vector<double> WavePanel::coordinates(const std::vector<std::size_t>& kept) const {
  const std::size_t count = kept.size();
  std::vector<double> lower(count * count);
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t l = k; l < count; ++l) {
      lower[l + k * count] = values_[(kept[l] - begin_) + (kept[k] - begin_) * width_];
    }
  }
  return lower;
}

}  // namespace fsieve::span
