// Which few of a basis' parities explain a column: the skeleton of its equation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "basis/parity.h"

namespace fsieve {

// Orthogonal matching pursuit in the coordinates of an orthonormal basis: row k of `lower`
// (column-major, lower triangular) holds the coordinates of parity k. With `constant` the first one
// is the constant, which is in every equation.
class SupportFinder {
 public:
  SupportFinder(const std::vector<Parity>& parities, const double* lower, std::size_t stride,
                double rows, bool constant = true);

  // The parities, among the first `coordinates.size()` and those `allowed`, that explain a
  // standardised column as well as all of them do, to within the tolerance of equations. What all
  // of them leave of it is residual2. At most `most_terms`, those that come first.
  [[nodiscard]] std::vector<Parity> find(std::span<const double> coordinates, double residual2,
                                         const std::function<bool(const Parity&)>& allowed,
                                         std::size_t most_terms = SIZE_MAX);

 private:
  // Inner products of parity k with all parities.
  const std::vector<double>& products_with(std::size_t k);

  const std::vector<Parity>& parities_;
  const double* lower_;
  std::size_t stride_;
  double rows_;
  bool constant_;
  std::unordered_map<std::size_t, std::vector<double>> products_;
};

// An equation may leave this much more of a column (as a share of its variance, degrees of freedom
// taken into account) than the full fit, which leaves `unexplained`: a tenth more, at most 0.001.
// An exact relation stays exact.
[[nodiscard]] double equation_tolerance(double unexplained);

// How far two shares of a column's variance that are equal may be apart by rounding. Choices that
// depend on less would depend on the order in which rows are summed.
[[nodiscard]] double rounding(double share);

}  // namespace fsieve
