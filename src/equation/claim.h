// An equation that is to be fitted and judged: a design column as a sum of products.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equation/product.h"
#include "equation/sheet.h"

namespace fsieve::inline equation {

struct Claim {
  std::uint32_t target = 0;
  std::vector<PowerProduct> products;
  std::vector<double> coefficients;
};

// Values of a product on some rows; `column(c)` points to those of a design column.
template <class Columns>
void evaluate(const PowerProduct& product, const Columns& column, std::size_t rows, double* out) {
  for (std::size_t i = 0; i < rows; ++i) out[i] = 1;
  for (const RaisedColumn& factor : product) {
    const double* values = column(factor.column);
    if (factor.plain()) {
      for (std::size_t i = 0; i < rows; ++i) out[i] *= values[i];
    } else {
      for (std::size_t i = 0; i < rows; ++i) out[i] *= value_of(factor, values[i]);
    }
  }
}

// How the products of a claim are scaled for its normal equations.
struct Scaling {
  std::vector<double> centre;  // 0 without a constant, and of the constant itself
  std::vector<double> scale;
};

// `values`: of the products on the sheet, one after another.
[[nodiscard]] Scaling scaling_of(const Claim& claim, const Sheet& sheet,
                                 const std::vector<double>& values);
[[nodiscard]] std::vector<double> values_on(const Sheet& sheet, const Claim& claim);

// Adds to the coefficients a step that belongs to scaled products.
void add_step(const Scaling& scaling, std::span<const double> step, Claim& claim);

}  // namespace fsieve::equation
