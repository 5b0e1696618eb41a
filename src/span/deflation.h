// Functions known by their inner products alone, some of which are taken out of all the others.
#pragma once

#include <cstddef>
#include <vector>

namespace fsieve::inline span {

// Gram-Schmidt without the functions' values. Nothing is recomputed for the functions that are
// never taken out: taking out the d-th costs d numbers for each of them.
class Deflation {
 public:
  // `amounts`: inner products of a column with the functions; `sizes`: their squared norms.
  Deflation(std::vector<double> amounts, std::vector<double> sizes);

  // What is left of the column times what is left of function k, and the latter's squared norm.
  [[nodiscard]] double amount(std::size_t k) const { return amounts_[k]; }
  [[nodiscard]] double size(std::size_t k) const { return sizes_[k]; }

  // The squared norm that taking out function k takes from the column.
  [[nodiscard]] double caught(std::size_t k) const { return amounts_[k] * amounts_[k] / sizes_[k]; }

  // Takes what is left of function k out of the column and of all functions. `products`: its inner
  // products with them, as they were at the beginning.
  void take_out(std::size_t k, const double* products);

 private:
  std::size_t count_;
  std::vector<double> amounts_;
  std::vector<double> sizes_;
  std::vector<double> directions_;     // what was taken out, at length 1, times every function
  std::vector<double> on_directions_;  // those of the function being taken out
};

}  // namespace fsieve::span
