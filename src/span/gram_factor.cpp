#include "span/gram_factor.h"

#include <cmath>

namespace fsieve::inline span {
namespace {

// y -= a x, for arrays that do not overlap: short ones, many times.
void subtract(std::size_t count, double a, const double* __restrict x, double* __restrict y) {
  for (std::size_t i = 0; i < count; ++i) y[i] -= a * x[i];
}

}  // namespace

void factor_gram(std::size_t count, double* gram, std::size_t ld, double least, std::size_t labels,
                 double* on_label, std::vector<std::size_t>& kept) {
  kept.clear();
  for (std::size_t k = 0; k < count; ++k) {
    double* column = gram + k * ld;
    if (column[k] <= least) continue;
    kept.push_back(k);
    const double scale = 1 / std::sqrt(column[k]);
    for (std::size_t i = k; i < count; ++i) column[i] *= scale;
    double* label = on_label + k * labels;
    for (std::size_t y = 0; y < labels; ++y) label[y] *= scale;
    for (std::size_t j = k + 1; j < count; ++j) {
      subtract(count - j, column[j], column + j, gram + j * ld + j);
      subtract(labels, column[j], label, on_label + j * labels);
    }
  }
}

std::vector<std::size_t> factor_gram(std::size_t count, double* gram, std::size_t ld, double least,
                                     std::size_t labels, double* on_label) {
  std::vector<std::size_t> kept;
  factor_gram(count, gram, ld, least, labels, on_label, kept);
  return kept;
}

Explained caught_by(const std::vector<std::size_t>& kept, std::size_t labels,
                    const double* on_label) {
  Explained result;
  for (const std::size_t k : kept) {
    ++result.rank;
    for (std::size_t y = 0; y < labels; ++y) {
      result.caught += on_label[k * labels + y] * on_label[k * labels + y];
    }
  }
  return result;
}

Explained explained_by(std::size_t count, double* gram, std::size_t ld, double least,
                       std::size_t labels, double* on_label) {
  return caught_by(factor_gram(count, gram, ld, least, labels, on_label), labels, on_label);
}

}  // namespace fsieve::span
