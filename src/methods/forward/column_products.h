// Inner products of columns with a few functions that are products themselves, and made on the fly.
#pragma once

#include <cstddef>
#include <vector>

namespace fsieve::inline methods {

// A function on the rows: a product.
struct Factors {
  const float* first;
  const float* second;
};

// What functions are multiplied with.
enum class With { columns, squares };

// So many functions are multiplied at a time; for more of them a matrix product is quicker, which
// would spend its time on copies of the columns for these.
constexpr std::size_t few_functions = 32;

// to[f · stride + c] = <function f, column c>, or its square, for c < width.
void multiply_few(std::size_t rows, const std::vector<Factors>& functions, With with,
                  const float* const* columns, std::size_t width, float* to, std::size_t stride);

}  // namespace fsieve::methods
