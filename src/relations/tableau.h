// Exact linear relations as a tableau, a basis of columns and the others written by it, and the
// exchanges that make it simpler.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace fsieve::relations {

// Columns that are searched all at once; more have too large a matrix of inner products.
inline constexpr std::size_t most_columns = 1500;

// What a column out of its place costs: small beside every difference of costs.
inline constexpr double misplaced = 1e-3;

struct Tableau {
  std::vector<std::size_t> basis;   // columns
  std::vector<std::size_t> others;  // written by the basis
  std::vector<double> weights;      // basis x others, column by column, for standardised columns
};

// The others written by the basis, by least squares.
[[nodiscard]] Tableau tableau_of(const std::vector<double>& gram, std::size_t size,
                                 std::vector<std::size_t> basis, std::vector<std::size_t> others);

struct Simplicity {
  // What an entry costs, of column `other` by column `basis`; 0 entries cost nothing.
  std::function<double(std::size_t basis, std::size_t other, double weight)> cost;
  // May this column be written by others?
  std::function<bool(std::size_t column)> free;
  double zero = 1e-6;  // smaller weights are none
};

// Exchanges columns of the basis while that makes the entries cost less; where it makes no
// difference, until in every relation the column with the largest weight is written by the others
// (of equal ones the last).
void simplify(Tableau& tableau, const Simplicity& simplicity);

}  // namespace fsieve::relations
