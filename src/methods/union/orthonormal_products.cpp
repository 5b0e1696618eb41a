#include "methods/union/orthonormal_products.h"

#include <cmath>

#include "methods/union/pair_screen.h"

namespace fsieve::inline methods {

void OrthonormalProducts::resize(std::size_t p, std::size_t label_columns) {
  gram.resize(p * p);
  products.resize(p * label_columns);
}

bool OrthonormalProducts::orthonormalise(std::size_t p) {
  transform.assign(p * (p + 1) / 2, 0.0);
  inner_.resize(p);
  for (std::size_t k = 0; k < p; ++k) {
    const double norm = gram[k + k * p];
    double left = norm;
    for (std::size_t l = 0; l < k; ++l) {
      const double* row = transform.data() + l * (l + 1) / 2;
      double sum = 0;
      for (std::size_t m = 0; m <= l; ++m) sum += row[m] * gram[k + m * p];
      inner_[l] = sum;
      left -= sum * sum;
    }
    if (left <= surely_trivial * norm) continue;
    if (left < surely_not_trivial * norm) return false;
    const double scale = 1 / std::sqrt(left);
    double* row = transform.data() + k * (k + 1) / 2;
    row[k] = scale;
    for (std::size_t l = 0; l < k; ++l) {
      const double* earlier = transform.data() + l * (l + 1) / 2;
      for (std::size_t m = 0; m <= l; ++m) row[m] -= scale * inner_[l] * earlier[m];
    }
  }
  return true;
}

void OrthonormalProducts::project(std::size_t p) {
  f.assign(products.size(), 0.0);
  for (std::size_t from = 0; from < f.size(); from += p) {
    for (std::size_t k = 0; k < p; ++k) {
      const double* row = transform.data() + k * (k + 1) / 2;
      for (std::size_t m = 0; m <= k; ++m) f[from + k] += row[m] * products[from + m];
    }
  }
}

}  // namespace fsieve::methods
