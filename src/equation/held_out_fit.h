// What is known of an equation on rows that were not used to fit it, and how much evidence that is.
#pragma once

namespace fsieve::inline equation {

// What an equation leaves of its target, as shares of the target's variance.
struct HeldOutFit {
  double left = 1;      // by the fit to all rows
  double left_out = 1;  // each row predicted by an equation fitted to the others
  double spread = 0;    // variance, over draws of as many rows, of the logarithm of `left_out`
  // On how much evidence that stands.
  double carriers = 0;      // how many rows carry the target's variance: all of them, or a few
  double varied = 1;        // rows of other values for each of the usual one, at most 1: see below
  double arrangements = 0;  // logarithm of the number of columns with the same values; infinite
                            // where most values are different
  double bulk_rows = 0;     // rows without outliers; 0: the target has one value there
  double bulk_left = 1;     // by the fit to all rows
  bool copy = false;        // the target is another column up to unit and origin
  double by_one_row = 0;    // share that one row leaves of a column which else equals the target
  double hardly_told = 0;   // share of the target's variance in rows that others hardly tell of
};

// Rows for each of the usual value that have another one, at most 1. A rare flag is told by its
// rare rows alone; a column of which no value is in the majority, by all rows.
[[nodiscard]] double varied_share(double rows, double usual_rows);

// Rows of normal values that would carry as much: at most those that there are, which is `rows`,
// weights counted.
[[nodiscard]] double telling_rows(const HeldOutFit& judged, double rows);

// Of these, the ones in which an error would have been seen: of a rare flag no others than carry
// it. Fewer where a single row is all that tells another column from the target.
[[nodiscard]] double showing_rows(const HeldOutFit& judged, double rows);

// May a row be worth two of those that carry the target, as such another column shows? Then columns
// that equal it may be different ones that no row has told apart so far.
[[nodiscard]] bool has_near_twin(const HeldOutFit& judged, double rows);

// Logarithm of the chance that one equation of so many terms leaves so little of an unrelated
// column. `rows`: their number, weights counted.
[[nodiscard]] double log_chance(const HeldOutFit& judged, double terms, double rows);

// Does it hold for the bulk of the rows too, not only where a few large values stand?
[[nodiscard]] bool holds_in_bulk(const HeldOutFit& judged);

}  // namespace fsieve::equation
