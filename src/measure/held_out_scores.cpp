#include "measure/held_out_scores.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace fsieve::inline measure {
namespace {

// Sums of the same rows in another order differ in their last digits, which must not decide.
constexpr double rounding = 1e-9;
// Standard errors of the difference within which no features, or fewer, are as good as the best
// size.
constexpr double errors_of_none = 1;
constexpr double errors_of_fewer = 0.5;

std::size_t smallest(const std::vector<double>& values) {
  return static_cast<std::size_t>(std::min_element(values.begin(), values.end()) - values.begin());
}

}  // namespace

HeldOutScores::HeldOutScores(const Label& label, std::vector<std::size_t> sizes,
                             std::vector<DealScores> deals)
    : label_(&label), sizes_(std::move(sizes)), deals_(std::move(deals)) {
  for (std::size_t i = 0; i < label.rows; ++i) {
    if (deals_.front().held.part_of[i] != HeldOut::nowhere) rows_.push_back(i);
  }
}

template <class Value>
HeldOutScores::Mean HeldOutScores::mean_over(const std::vector<std::size_t>& rows,
                                             const Value& value) const {
  double weight = 0;
  double sum = 0;
  for (const std::size_t i : rows) {
    weight += label_->weight_of(i);
    sum += label_->weight_of(i) * value(i);
  }
  Mean mean{weight > 0 ? sum / weight : 0, 0};
  double squares = 0;
  for (const std::size_t i : rows) {
    const double off = value(i) - mean.value;
    squares += label_->weight_of(i) * off * off;
  }
  if (weight > 1) mean.error = std::sqrt(squares / weight / (weight - 1));
  return mean;
}

// Mean over the deals.
double HeldOutScores::loss(std::size_t s, std::size_t row) const {
  double sum = 0;
  for (const DealScores& deal : deals_) sum += deal.losses[s][row];
  return sum / static_cast<double>(deals_.size());
}

double HeldOutScores::hit(std::size_t s, std::size_t row) const {
  double sum = 0;
  for (const DealScores& deal : deals_) sum += deal.hits[s][row];
  return sum / static_cast<double>(deals_.size());
}

// R² is a ratio of means; its error is that of the numerator less its share of the denominator.
PathPoint HeldOutScores::point(std::size_t s) const {
  if (label_->classification) {
    const Mean right = mean_over(rows_, [&](std::size_t i) { return hit(s, i); });
    return {sizes_[s], right.value, right.error};
  }
  const double without = mean_over(rows_, [&](std::size_t i) { return loss(0, i); }).value;
  const double with = mean_over(rows_, [&](std::size_t i) { return loss(s, i); }).value;
  const double left = with / without;
  const Mean off = mean_over(rows_, [&](std::size_t i) { return loss(s, i) - left * loss(0, i); });
  return {sizes_[s], 1 - left, off.error / without};
}

std::vector<PathPoint> HeldOutScores::path() const {
  std::vector<PathPoint> points;
  for (std::size_t s = 0; s < sizes_.size(); ++s) points.push_back(point(s));
  return points;
}

std::vector<double> HeldOutScores::mean_losses(const std::vector<std::size_t>& rows) const {
  std::vector<double> means;
  for (std::size_t s = 0; s < sizes_.size(); ++s) {
    means.push_back(mean_over(rows, [&](std::size_t i) { return loss(s, i); }).value);
  }
  return means;
}

std::size_t HeldOutScores::best() const { return smallest(mean_losses(rows_)); }

std::size_t HeldOutScores::choice() const { return choice_by(rows_); }

std::size_t HeldOutScores::choice_by(const std::vector<std::size_t>& rows) const {
  const std::vector<double> means = mean_losses(rows);
  const std::size_t best = smallest(means);
  for (std::size_t s = 0; s < best; ++s) {
    const double errors = s == 0 ? errors_of_none : errors_of_fewer;
    const double allowed = errors * error_over_parts(rows, s, best);
    if (means[s] - means[best] <= allowed + rounding * means[0]) return s;
  }
  return best;
}

// Of the mean difference of the losses of two sizes, from its values in the parts of all deals.
double HeldOutScores::error_over_parts(const std::vector<std::size_t>& rows, std::size_t s,
                                       std::size_t other) const {
  std::vector<double> differences;
  for (const DealScores& deal : deals_) {
    std::vector<double> sums(deal.held.parts, 0.0);
    std::vector<double> weights(deal.held.parts, 0.0);
    for (const std::size_t i : rows) {
      const double own = label_->weight_of(i);
      sums[deal.held.part_of[i]] += own * (deal.losses[s][i] - deal.losses[other][i]);
      weights[deal.held.part_of[i]] += own;
    }
    for (std::size_t part = 0; part < sums.size(); ++part) {
      if (weights[part] > 0) differences.push_back(sums[part] / weights[part]);
    }
  }
  const auto count = static_cast<double>(differences.size());
  const double mean = std::accumulate(differences.begin(), differences.end(), 0.0) / count;
  double squares = 0;
  for (const double difference : differences) squares += (difference - mean) * (difference - mean);
  return count > 1 ? std::sqrt(squares / (count - 1) / count) : 0;
}

double HeldOutScores::score_of_choice() const {
  double weight = 0;
  double right = 0;
  double left = 0;
  double total = 0;
  for (const DealScores& deal : deals_) {
    for (std::size_t part = 0; part < deal.held.parts; ++part) {
      const std::size_t s = choice_by(deal.held.other_rows(part));
      for (const std::size_t i : deal.held.rows(part)) {
        const double own = label_->weight_of(i);
        weight += own;
        if (label_->classification) right += own * deal.hits[s][i];
        left += own * deal.losses[s][i];
        total += own * deal.losses[0][i];
      }
    }
  }
  return label_->classification ? right / weight : 1 - left / total;
}

}  // namespace fsieve::measure
