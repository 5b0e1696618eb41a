// Symmetric positive systems of a few unknowns.
#pragma once

#include <cstddef>
#include <vector>

namespace fsieve::inline equation {

// Cholesky factors of a symmetric matrix. Pivots that vanish are replaced, so that what depends on
// others gets no part of a solution.
class SmallFactor {
 public:
  SmallFactor(std::vector<double> matrix, std::size_t size);

  void solve(double* vector) const;
  [[nodiscard]] std::vector<double> inverse() const;
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  std::vector<double> lower_;
};

}  // namespace fsieve::equation
