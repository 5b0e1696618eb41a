#include "linalg/column_dots.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "linalg/narrow.h"
#include "tables.h"

namespace fsieve {
namespace {

// Any number of functions, columns and rows: also those that fill no register, or no lot of rows.
TEST(ColumnDots, AreInnerProducts) {
  testing::Random random(1);
  for (const std::size_t rows : {1U, 7U, 16U, 72U, 300U, 1024U}) {
    for (const std::size_t count : {1U, 2U, 5U, 8U}) {
      for (const std::size_t columns : {1U, 8U, 13U, 30U}) {
        const std::vector<double> values = random.normals(rows * columns);
        std::vector<float> narrow = blas::narrowed(values.data(), values.size());
        narrow.resize(narrow.size() + blas::rows_of_dots, 1e10F);  // it is not seen
        std::vector<const float*> places;
        for (std::size_t c = 0; c < columns; ++c) places.push_back(narrow.data() + c * rows);
        const std::vector<double> factors = random.normals(rows * count);
        blas::FewFunctions functions;
        functions.resize(1024, 8);  // what was there before is not seen
        std::fill_n(functions[0], 8 * functions.stride(), 1e10F);
        functions.resize(rows, count);
        for (std::size_t f = 0; f < count; ++f) {
          blas::narrow(rows, factors.data() + f * rows, functions[f]);
        }
        const std::size_t stride = columns + 3;
        std::vector<float> sums(count * stride, 0.5F);
        std::vector<float> of_squares(count * stride, 0.5F);
        blas::add_column_dots(functions, places.data(), columns, sums.data(), stride);
        blas::add_square_dots(functions, places.data(), columns, of_squares.data(), stride);
        const double off = 200 * blas::rounding_of_inner_product(rows) * static_cast<double>(rows);
        for (std::size_t f = 0; f < count; ++f) {
          for (std::size_t c = 0; c < stride; ++c) {
            double inner = 0.5;
            double squared = 0.5;
            for (std::size_t i = 0; i < rows && c < columns; ++i) {
              const double value = values[c * rows + i];
              inner += factors[f * rows + i] * value;
              squared += factors[f * rows + i] * value * value;
            }
            EXPECT_NEAR(sums[f * stride + c], inner, off);
            EXPECT_NEAR(of_squares[f * stride + c], squared, off);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace fsieve
