#include "span/deflation.h"

#include <cmath>
#include <utility>

#include "linalg/blas.h"

namespace fsieve::inline span {

Deflation::Deflation(std::vector<double> amounts, std::vector<double> sizes)
    : count_(amounts.size()), amounts_(std::move(amounts)), sizes_(std::move(sizes)) {}

void Deflation::take_out(std::size_t k, const double* products) {
  const std::size_t taken = on_directions_.size();
  for (std::size_t d = 0; d < taken; ++d) on_directions_[d] = directions_[k + d * count_];
  directions_.insert(directions_.end(), products, products + count_);
  double* direction = directions_.data() + taken * count_;
  blas::gemv(blas::Op::none, count_, taken, -1.0, directions_.data(), count_, on_directions_.data(),
             1.0, direction);
  on_directions_.push_back(0);

  const double scale = 1 / std::sqrt(sizes_[k]);
  const double amount = amounts_[k] * scale;
  double* amounts = amounts_.data();
  double* sizes = sizes_.data();
  for (std::size_t j = 0; j < count_; ++j) {
    const double on_it = direction[j] * scale;
    direction[j] = on_it;
    amounts[j] -= amount * on_it;
    sizes[j] -= on_it * on_it;
  }
}

}  // namespace fsieve::span
