#include "methods/forward/column_products.h"

#include <algorithm>

#include "base/stop.h"
#include "linalg/column_dots.h"

namespace fsieve::inline methods {

void multiply_few(std::size_t rows, const std::vector<Factors>& functions, With with,
                  const float* const* columns, std::size_t width, float* to, std::size_t stride) {
  thread_local blas::FewFunctions made;
  thread_local std::vector<const float*> parts;
  for (std::size_t f = 0; f < functions.size(); ++f) std::fill_n(to + f * stride, width, 0.0F);
  for (std::size_t at = 0; at < rows && !functions.empty(); at += blas::rows_at_once_in_dots) {
    stop_if_asked();
    const std::size_t height = std::min(blas::rows_at_once_in_dots, rows - at);
    parts.assign(columns, columns + width);
    for (const float*& part : parts) part += at;
    for (std::size_t f = 0; f < functions.size(); f += few_functions) {
      const std::size_t count = std::min(few_functions, functions.size() - f);
      made.resize(height, count);
      for (std::size_t k = 0; k < count; ++k) {
        const float* const a = functions[f + k].first + at;
        const float* const b = functions[f + k].second + at;
        for (std::size_t i = 0; i < height; ++i) made[k][i] = a[i] * b[i];
      }
      const auto add = with == With::squares ? blas::add_square_dots : blas::add_column_dots;
      add(made, parts.data(), width, to + f * stride, stride);
    }
  }
}

}  // namespace fsieve::methods
