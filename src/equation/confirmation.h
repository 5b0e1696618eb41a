// Do rows that were not used confirm that a feature is redundant?
#pragma once

#include <cstddef>

#include "equation/held_out_fit.h"

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

  // At most epsilon is left, it is no chance, it holds for the bulk of the rows too, other rows
  // would not be far from that even with one that is all wrong, and it can be read: an equation of
  // more than `max_terms` must be exact. Copies and exact equations of real numbers only need to be
  // no chance: a model of these rows could not tell a copy from the other column.
  [[nodiscard]] bool holds() const;

 private:
  [[nodiscard]] bool firm() const;

  double epsilon_;
  double rows_;
  std::size_t max_terms_;
  double variance_ = 0;
  double left_out_ = 0;
  double spread_ = 0;        // variance of that sum, over draws of as many rows
  double telling_rows_ = 0;  // of the column that has most
  double showing_rows_ = 0;
  double hardly_told_ = 0;
  double choices_ = 0;
  double chance_ = 0;
  bool in_bulk_ = true;
  bool plain_ = true;  // copies, or real numbers
  bool readable_ = true;
};

// An exact equation is firm where errors would have shown in so many rows.
inline constexpr int firm_rows = 50;

// The R² of an equation on rows that were not used. An exact one that few rows tell of has shown no
// error from which to tell its size: it is promised what holds in 99 of 100 cases, if errors come
// in kinds of rows that were not seen. `rows`: their number, weights counted.
[[nodiscard]] double promised_r2(const HeldOutFit& judged, double rows);

}  // namespace fsieve::equation
