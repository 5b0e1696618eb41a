#include "equation/confirmation.h"

#include <algorithm>
#include <cmath>

#include "equation/fit.h"

namespace fsieve::inline equation {
namespace {

const double log_level = std::log(0.01);
// Deviations of a normal number that are exceeded with that chance.
constexpr double level_deviations = 2.326;
// An exact relation of few rows is believed where chance is out of the question.
constexpr double log_certain = -16;
// A row that is all wrong is allowed for up to this norm of what is left: else a smaller one that
// is asked for would need a row for every part of its square.
constexpr double least_firm = 0.1;
static_assert(firm_rows * 2 * least_firm * least_firm > 0.999999);
// Of so many rows of a kind in twice the table, all are in the half that was not seen in one of a
// hundred cases.
const double unseen_rows = std::log2(100.0);

}  // namespace

void Confirmation::add(const HeldOutFit& judged, std::size_t terms, double variance,
                       double choices) {
  variance_ += variance;
  left_out_ += variance * judged.left_out;
  spread_ += variance * judged.left_out * variance * judged.left_out * judged.spread;
  chance_ += choices + log_chance(judged, static_cast<double>(terms), rows_);
  choices_ = std::max(choices_, choices);
  telling_rows_ = std::max(telling_rows_, telling_rows(judged, rows_));
  showing_rows_ = std::max(showing_rows_, showing_rows(judged, rows_));
  if (judged.left_out > exact_share) hardly_told_ += variance * judged.hardly_told;
  in_bulk_ = in_bulk_ && holds_in_bulk(judged);
  const bool copy = judged.copy && !has_near_twin(judged, rows_);
  plain_ = plain_ && (copy || std::isinf(judged.arrangements));
  readable_ = readable_ && (terms <= max_terms_ || judged.left_out <= exact_share);
}

double Confirmation::norm() const { return std::sqrt(left_out_ / variance_); }

// What other rows will leave is not known better than this: the best of many equations leaves
// less of these rows than of others (by as much as its choice costs to describe), as many others
// leave more in one of 100 cases, and what happens once in as many rows may not have been seen: a
// row more that is all wrong.
bool Confirmation::firm() const {
  const double left = left_out_ / variance_;
  if (left <= exact_share && plain_ && chance_ <= log_certain) return true;
  const double deviation = left_out_ > 0 ? std::sqrt(2 * spread_) / left_out_ : 0;
  const double more = 2 * choices_ / telling_rows_ + level_deviations * deviation;
  const double firm = std::max(epsilon_, least_firm);
  const double unseen = std::max(1 / showing_rows_, hardly_told_ / variance_);
  return left * std::exp(more) + unseen <= 2 * firm * firm;
}

bool Confirmation::holds() const {
  return norm() <= epsilon_ && chance_ <= log_level && in_bulk_ && readable_ && firm();
}

double promised_r2(const HeldOutFit& judged, double rows) {
  const double showing = showing_rows(judged, rows);
  if (showing >= firm_rows || judged.left_out > exact_share || std::isinf(judged.arrangements)) {
    return 1 - judged.left_out;
  }
  return std::max(1 - unseen_rows / showing, 0.0);
}

}  // namespace fsieve::equation
