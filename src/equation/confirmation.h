// Do rows that were not used confirm that a feature is redundant?
#pragma once

#include <cstddef>

#include "equation/held_out.h"

namespace fsieve::inline equation {

// The columns of a feature, one after another; they are judged together, so that a rare level of a
// category, of which few rows tell anything, does not decide.
class Confirmation {
 public:
  // `rows`: their number, weights counted.
  Confirmation(double epsilon, double rows, std::size_t max_terms)
      : epsilon_(epsilon), rows_(rows), max_terms_(max_terms) {}

  // `terms`: of the column's equation; `choices`: logarithm of the number it was chosen from.
  void add(const HeldOutFit& judged, std::size_t terms, double variance, double choices);

  // The norm of what is left of rows that were not used.
  [[nodiscard]] double norm() const;

  // At most epsilon is left, it is no chance, it holds for the bulk of the rows too, it would not
  // be far from that with one more row that is all wrong, and it can be read: an equation of more
  // than `max_terms` must be exact.
  [[nodiscard]] bool holds() const;

 private:
  [[nodiscard]] bool firm() const;

  double epsilon_;
  double rows_;
  std::size_t max_terms_;
  double variance_ = 0;
  double left_out_ = 0;
  double telling_rows_ = 0;  // of the column that has most
  double chance_ = 0;
  bool in_bulk_ = true;
  bool readable_ = true;
};

}  // namespace fsieve::equation
