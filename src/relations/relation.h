// A relation: a design column written as a sum of products of powers of others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "data/design.h"
#include "equation/claim.h"
#include "fsieve/equation.h"

namespace fsieve::relations {

using Factor = RaisedColumn;
using Product = PowerProduct;

struct Relation : Claim {
  double left_out = 1;    // share of variance left of all rows, each predicted by the others
  double r2 = 0;          // what it promises of other rows: less where few rows tell
  double r2_fit = 0;      // of the fit
  double candidates = 0;  // logarithm of the number of relations it was chosen from

  [[nodiscard]] std::set<std::uint32_t> columns() const;  // of its products
};

// How rich a power or product is: libraries hold all up to a limit.
[[nodiscard]] double difficulty(const Factor& factor);
[[nodiscard]] double difficulty(const Product& product);

// What a relation costs its reader: 1 for a factor as it stands, more for powers, and much more for
// divisions, roots and logarithms, which a person avoids where the same relation can be solved for
// another column.
[[nodiscard]] double awkwardness(double power);
[[nodiscard]] double awkwardness(const Factor& factor);
[[nodiscard]] double awkwardness(const Relation& relation);

// In how many products?
[[nodiscard]] std::size_t logarithms(const Relation& relation);

[[nodiscard]] Product multiplied(const Product& a, const Product& b);

// The nearest power that people use (halves, thirds, quarters), or the power itself where none is
// within `tolerance`.
[[nodiscard]] double usual_power(double power, double tolerance);

// By names: a small whole power repeats its factor, others are written beside it.
[[nodiscard]] Equation written(const Relation& relation, const Design& design);

}  // namespace fsieve::relations
