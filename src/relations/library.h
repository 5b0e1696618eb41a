// All products of powers of a few columns, up to a difficulty, and their logarithms, as
// standardised functions of rows.
#pragma once

#include <cstddef>
#include <vector>

#include "equation/sheet.h"
#include "relations/relation.h"

namespace fsieve::relations {

// What powers a column may have.
struct Ingredient {
  std::uint32_t column = 0;
  std::size_t feature = 0;  // columns of one feature are not multiplied with each other
  bool two_valued = false;  // powers say nothing new
  bool divisor = false;     // has no zeros
  bool positive = false;
  bool negative = false;  // has negative values
};

struct Library {
  std::vector<Product> products;
  std::vector<double> values;  // standardised, one product after another
  double difficulty = 0;       // the limit of it; 0: even the plainest was too large
};

// The richest library of at most `most` products, none of more difficulty than the limit.
[[nodiscard]] Library make_library(const Sheet& sheet, const std::vector<Ingredient>& ingredients,
                                   double limit, std::size_t most);

}  // namespace fsieve::relations
