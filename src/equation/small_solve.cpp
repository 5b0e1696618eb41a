#include "equation/small_solve.h"

#include <cmath>

#include "linalg/blas.h"

namespace fsieve::inline equation {

SmallFactor::SmallFactor(std::vector<double> matrix, std::size_t size)
    : size_(size), lower_(std::move(matrix)) {
  constexpr double vanishing = 1e-14;  // of the diagonal
  constexpr double without_part = 1e150;
  for (std::size_t j = 0; j < size_; ++j) {
    double* const column = lower_.data() + j * size_;
    const double own = column[j];
    for (std::size_t k = 0; k < j; ++k) {
      const double* const earlier = lower_.data() + k * size_;
      blas::axpy(size_ - j, -earlier[j], earlier + j, column + j);
    }
    const double pivot = column[j] > vanishing * own ? std::sqrt(column[j]) : without_part;
    column[j] = pivot;
    for (std::size_t i = j + 1; i < size_; ++i) column[i] /= pivot;
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

}  // namespace fsieve::equation
