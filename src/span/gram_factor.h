// What some functions hold, from their inner products alone.
#pragma once

#include <cstddef>
#include <vector>

namespace fsieve::inline span {

// Cholesky factorisation of the Gram matrix of `count` functions, in their order, that skips those
// of which at most `least` (squared norm) is left beside the ones before. `gram`: its lower
// triangle, column-major; the columns of kept functions become those of the factor (rows of skipped
// functions in them are their inner products with the orthonormal ones). `on_label`: the functions'
// inner products with `labels` columns, one function after another; those of kept functions become
// the inner products of the orthonormal functions. Returns the kept functions, or writes them to
// `kept`, whose memory is used again.
std::vector<std::size_t> factor_gram(std::size_t count, double* gram, std::size_t ld, double least,
                                     std::size_t labels, double* on_label);
void factor_gram(std::size_t count, double* gram, std::size_t ld, double least, std::size_t labels,
                 double* on_label, std::vector<std::size_t>& kept);

// The rank of the functions and the squared norm of what they explain of the label, the same way.
struct Explained {
  std::size_t rank = 0;
  double caught = 0;
};
[[nodiscard]] Explained caught_by(const std::vector<std::size_t>& kept, std::size_t labels,
                                  const double* on_label);  // as factor_gram left them
[[nodiscard]] Explained explained_by(std::size_t count, double* gram, std::size_t ld, double least,
                                     std::size_t labels, double* on_label);

}  // namespace fsieve::span
