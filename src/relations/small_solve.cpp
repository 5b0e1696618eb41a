#include "relations/small_solve.h"

#include <cmath>

#include "linalg/blas.h"

namespace fsieve::relations {

SmallFactor::SmallFactor(std::vector<double> matrix, std::size_t size)
    : size_(size), lower_(std::move(matrix)) {
  constexpr double vanishing = 1e-14;  // of the diagonal
  constexpr double without_part = 1e150;
  for (std::size_t j = 0; j < size_; ++j) {
    const double own = lower_[j + j * size_];
    double left = own;
    for (std::size_t k = 0; k < j; ++k) left -= lower_[j + k * size_] * lower_[j + k * size_];
    const double pivot = left > vanishing * own ? std::sqrt(left) : without_part;
    lower_[j + j * size_] = pivot;
    for (std::size_t i = j + 1; i < size_; ++i) {
      double value = lower_[i + j * size_];
      for (std::size_t k = 0; k < j; ++k) value -= lower_[i + k * size_] * lower_[j + k * size_];
      lower_[i + j * size_] = value / pivot;
    }
  }
}

void SmallFactor::solve(double* vector) const {
  blas::solve_lower(size_, 1, lower_.data(), size_, vector, size_);
  blas::solve_lower_transposed(size_, 1, lower_.data(), size_, vector, size_);
}

std::vector<double> SmallFactor::inverse() const {
  std::vector<double> result(size_ * size_);
  for (std::size_t j = 0; j < size_; ++j) result[j * (size_ + 1)] = 1;
  blas::solve_lower(size_, size_, lower_.data(), size_, result.data(), size_);
  blas::solve_lower_transposed(size_, size_, lower_.data(), size_, result.data(), size_);
  return result;
}

}  // namespace fsieve::relations
