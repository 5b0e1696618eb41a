// Functions made orthonormal from their inner products alone.
#pragma once

#include <cstddef>
#include <vector>

namespace fsieve::inline methods {

// What a subset's products give, and what becomes of it; kept from one subset to the next.
struct OrthonormalProducts {
  std::vector<double> gram;      // p x p, lower triangle at (row, column) = row + column * p
  std::vector<double> products;  // with the label, p for each of its columns
  // Lower triangular, rows one after another (1, 2, 3, … numbers): row k gives function k, zero
  // where it is trivial.
  std::vector<double> transform;
  std::vector<double> f;  // the label's coefficients, p for each of its columns

  void resize(std::size_t p, std::size_t label_columns);

  // From `gram`: `transform`. False where the digits of `gram` do not suffice.
  [[nodiscard]] bool orthonormalise(std::size_t p);
  // From `products` and `transform`: `f`.
  void project(std::size_t p);

 private:
  std::vector<double> inner_;
};

}  // namespace fsieve::methods
