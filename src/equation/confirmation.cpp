#include "equation/confirmation.h"

#include <algorithm>
#include <cmath>

#include "equation/fit.h"

namespace fsieve::inline equation {
namespace {

const double log_level = std::log(0.01);
// An exact relation of few rows is believed where chance is out of the question.
constexpr double log_certain = -16;
// A row that is all wrong is allowed for up to this norm of what is left: else a smaller one that
// is asked for would need a row for every part of its square.
constexpr double least_firm = 0.1;

}  // namespace

void Confirmation::add(const HeldOutFit& judged, std::size_t terms, double variance,
                       double choices) {
  variance_ += variance;
  left_out_ += variance * judged.left_out;
  chance_ += choices + log_chance(judged, static_cast<double>(terms), rows_);
  telling_rows_ = std::max(telling_rows_, telling_rows(judged, rows_));
  in_bulk_ = in_bulk_ && holds_in_bulk(judged);
  readable_ = readable_ && (terms <= max_terms_ || judged.left_out <= exact_share);
}

double Confirmation::norm() const { return std::sqrt(left_out_ / variance_); }

// What happens once in as many rows as were seen may not have been seen.
bool Confirmation::firm() const {
  const double left = left_out_ / variance_;
  if (left <= exact_share && chance_ <= log_certain) return true;
  const double firm = std::max(epsilon_, least_firm);
  return left + 1 / telling_rows_ <= 2 * firm * firm;
}

bool Confirmation::holds() const {
  return norm() <= epsilon_ && chance_ <= log_level && in_bulk_ && readable_ && firm();
}

}  // namespace fsieve::equation
