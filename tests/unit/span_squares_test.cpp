#include "linalg/span_squares.h"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/narrow.h"
#include "tables.h"

namespace fsieve {
namespace {

// Any number of functions, columns and rows: also those that fill no register, and more rows than
// are summed at a time.
TEST(SpanSquares, AreThoseOfInnerProducts) {
  testing::Random random(1);
  for (const std::size_t rows : {1U, 7U, 72U, 300U, 1500U}) {
    for (const std::size_t functions : {1U, 5U, 16U, 19U, 40U}) {
      for (const std::size_t columns : {1U, 8U, 13U, 70U}) {
        std::vector<double> basis = random.normals(rows * functions);
        const double unit = std::sqrt(static_cast<double>(rows));
        for (double& value : basis) value /= unit;
        const std::vector<double> values = random.normals(rows * columns);
        const std::vector<float> narrow = blas::narrowed(values.data(), values.size());
        std::vector<float> squares(columns, -1);
        blas::SpanSquares(basis.data(), rows, functions).of(narrow.data(), columns, squares.data());
        for (std::size_t c = 0; c < columns; ++c) {
          double expected = 0;
          double length = 0;
          for (std::size_t f = 0; f < functions; ++f) {
            double inner = 0;
            for (std::size_t i = 0; i < rows; ++i) {
              inner += basis[f * rows + i] * values[c * rows + i];
            }
            expected += inner * inner;
          }
          for (std::size_t i = 0; i < rows; ++i) length += std::pow(values[c * rows + i], 2);
          const double off =
              4 * blas::rounding_of_inner_product(rows) * std::sqrt(length * functions);
          EXPECT_NEAR(std::sqrt(squares[c]), std::sqrt(expected), off);
        }
      }
    }
  }
}

}  // namespace
}  // namespace fsieve
