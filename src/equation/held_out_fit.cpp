#include "equation/held_out_fit.h"

#include <algorithm>
#include <cmath>

#include "stats/f_tail.h"

namespace fsieve::inline equation {
namespace {

// A relation that only few rows carry explains nothing of the others.
constexpr double most_of_bulk = 0.5;
// Rows per carrier where values are normal: their fourth moment is 3.
constexpr double normal_rows = 3;

double log_tail(double left, double terms, double rows) {
  const double freedom = rows - terms - 1;
  if (freedom < 1) return 0;
  return log_f_tail((1 - left) / terms / std::max(left / freedom, 1e-300), terms, freedom);
}

double rows_by_values(const HeldOutFit& judged, double rows) {
  return std::max(judged.carriers, telling_rows(judged, judged.varied * rows));
}

}  // namespace

double varied_share(double rows, double usual_rows) {
  return 2 * usual_rows > rows ? (rows - usual_rows) / usual_rows : 1;
}

double telling_rows(const HeldOutFit& judged, double rows) {
  return std::min(rows, normal_rows * judged.carriers);
}

double showing_rows(const HeldOutFit& judged, double rows) {
  return std::min(rows_by_values(judged, rows), 1 / judged.by_one_row);
}

bool has_near_twin(const HeldOutFit& judged, double rows) {
  return judged.by_one_row * rows_by_values(judged, rows) > 2;
}

// Rows that carry nothing say nothing, and no evidence is stronger than the number of columns that
// the same values could have made. Rows without outliers are evidence of their own.
double log_chance(const HeldOutFit& judged, double terms, double rows) {
  const double telling = telling_rows(judged, rows);
  double chance = log_tail(judged.left, terms, telling);
  if (judged.bulk_rows > 0) {
    const double in_bulk = log_tail(judged.bulk_left, terms, std::min(rows, judged.bulk_rows));
    chance = std::min(chance, in_bulk);
  }
  return std::max(chance, -judged.arrangements);
}

bool holds_in_bulk(const HeldOutFit& judged) {
  return judged.bulk_rows == 0 || judged.bulk_left <= most_of_bulk;
}

}  // namespace fsieve::equation
