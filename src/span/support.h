// Which few of a basis' parities explain a column: the skeleton of its equation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "basis/parity.h"
#include "fsieve/progress.h"

namespace fsieve::inline span {

// Inner products, sums over the rows, of some products of standardised columns (sorted) and, last,
// a column: the lower triangle, column-major. A product that the basis leaves out is 0.
using GramOf = std::function<std::vector<double>(const std::vector<std::vector<std::uint32_t>>&)>;

// A standardised column: its coordinates on the first functions of a basis, and what these leave
// of it.
struct SupportTarget {
  std::vector<double> coordinates;
  double residual2 = 0;
  std::size_t most_terms = SIZE_MAX;
  // Where so many terms leave more than this (degrees of freedom taken into account), no shorter
  // equation is expected to leave less.
  std::size_t patience = SIZE_MAX;
  double bearable = 0;
  // Where they leave less: whether such an equation can be made of them. None: it may be.
  std::function<bool(const std::vector<Parity>& chosen, const GramOf& gram_of)> hope = nullptr;
};

// Orthogonal matching pursuit in the coordinates of an orthonormal basis: row k of `lower`
// (column-major, lower triangular) holds the coordinates of parity k. With `constant` the first one
// is the constant, which is in every equation.
class SupportFinder {
 public:
  // `eligible`: which parities may be used.
  SupportFinder(const std::vector<Parity>& parities, const double* lower, std::size_t stride,
                double rows, const std::vector<bool>& eligible, bool constant = true);

  // For each of `count` columns the eligible parities, among the first coordinates.size(), that
  // explain it as well as all of these do, to within the tolerance of equations. At most
  // the target's `most_terms`, those that come first; none where its patience ends. `target(t)` is
  // asked for in order, a batch at a time.
  [[nodiscard]] std::vector<std::vector<Parity>> find(
      std::size_t count, const std::function<SupportTarget(std::size_t)>& target,
      Progress& progress);

 private:
  // Inner products of some consecutive parities with all.
  struct Panel {
    std::once_flag formed;
    std::vector<double> products;
  };

  // Inner products of the targets with all parities, one target after another.
  [[nodiscard]] std::vector<double> products_with(std::span<const SupportTarget> targets) const;
  [[nodiscard]] const double* products_with(std::size_t k);
  [[nodiscard]] std::vector<Parity> pursue(const SupportTarget& target, const double* products);
  [[nodiscard]] bool gives_up(const SupportTarget& target, const std::vector<std::size_t>& chosen,
                              double left);
  [[nodiscard]] std::vector<double> gram(const SupportTarget& target,
                                         const std::vector<std::vector<std::uint32_t>>& products);

  const std::vector<Parity>& parities_;
  const double* lower_;
  std::size_t stride_;
  double rows_;
  std::size_t first_;  // coordinate that counts: those on the constant are left out everywhere
  std::vector<double> sizes_;  // squared norms of the parities; 0 where not eligible
  std::unique_ptr<Panel[]> panels_;
  std::once_flag numbered_;
  std::map<std::vector<std::uint32_t>, std::size_t> numbers_;  // of the parities' sorted columns
};

// An equation may leave this much more of a column (as a share of its variance, degrees of freedom
// taken into account) than the full fit, which leaves `unexplained`: a tenth more, at most 0.001.
// An exact relation stays exact.
[[nodiscard]] double equation_tolerance(double unexplained);

// How far two shares of a column's variance that are equal may be apart by rounding. Choices that
// depend on less would depend on the order in which rows are summed.
[[nodiscard]] double rounding(double share);

}  // namespace fsieve::span
