#include "methods/junta/junta_score.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "bits/class_bits.h"
#include "bits/promising.h"
#include "device/least_sum.h"
#include "measure/cell_table.h"

namespace fsieve::inline methods {
namespace {

// From "all of S are set" to "exactly S is set".
void to_cells(std::int32_t* table, std::size_t cells) {
  for (std::size_t step = 1; step < cells; step *= 2) {
    for (std::size_t s = 0; s < cells; ++s) {
      if ((s & step) == 0) table[s] -= table[s + step];
    }
  }
}

}  // namespace

JuntaScore::JuntaScore(JuntaMeasure measure, const JuntaTable& table)
    : measure_(measure), rows_(table.rows), row_weights_(table.weights) {
  const auto n = static_cast<double>(rows_);
  for (std::size_t j = 0; j < table.size(); ++j) {
    const double high = table.weight_high(j);
    set_.push_back(n / high);
    clear_.push_back(n / (n - high));
  }
  float_set_.assign(set_.begin(), set_.end());
  float_clear_.assign(clear_.begin(), clear_.end());
  float_set_.resize(set_.size() + vector_slack);
  float_clear_.resize(clear_.size() + vector_slack);
}

void JuntaScore::describe(ScreenTable& table) const {
  table.sum = measure_ == JuntaMeasure::product ? ScreenSum::products : ScreenSum::leads;
  table.set_weights = float_set_.data();
  table.clear_weights = float_clear_.data();
}

float JuntaScore::sum_to_reach(double threshold, std::size_t k) const {
  const auto n = static_cast<double>(rows_);
  if (std::isinf(threshold)) return -std::numeric_limits<float>::infinity();
  switch (measure_) {
    case JuntaMeasure::product:
      return least_sum_of_products(threshold * n * (n - 1));
    case JuntaMeasure::correlated:
      return least_sum_of_leads(threshold * (n - 1), k, n);
    case JuntaMeasure::agreement:
      break;
  }
  return least_sum_of_leads(threshold * n, k, n);
}

// Scores are at most about 1, so this fits.
std::int32_t JuntaScore::leads_to_reach(double threshold) const {
  const auto n = static_cast<double>(rows_);
  const double unit = measure_ == JuntaMeasure::correlated ? n - 1 : n;
  return static_cast<std::int32_t>(
      std::clamp(std::floor(threshold * unit - 1e-3), -1.0, 2147483647.0));
}

void JuntaScore::Prefix::set(const JuntaScore& score, const PrefixCounts& counts,
                             std::span<const std::size_t> prefix, std::size_t first_c) {
  score_ = &score;
  counts_ = counts;
  first_c_ = first_c;
  if (score.measure_ == JuntaMeasure::product) weigh_cells(prefix);
  const std::size_t cells = std::size_t{1} << prefix.size();
  if (!score.row_weights_.even()) {
    rows_.assign(counts.without, counts.without + 2 * cells);
    to_cells(rows_.data(), cells);
    to_cells(rows_.data() + cells, cells);
    return;
  }
  if (score.measure_ != JuntaMeasure::product) return;
  lead_.resize(cells);
  size_.resize(cells);
  for (std::size_t s = 0; s < cells; ++s) {
    const auto first = static_cast<std::int32_t>(counts.without[s]);
    const auto second = static_cast<std::int32_t>(counts.without[cells + s]);
    lead_[s] = second - first;
    size_[s] = second + first;
  }
  to_cells(lead_.data(), cells);
  to_cells(size_.data(), cells);
}

void JuntaScore::Prefix::weigh_cells(std::span<const std::size_t> prefix) {
  weights_.assign(std::size_t{1} << prefix.size(), 1.0);
  for (std::size_t s = 0; s < weights_.size(); ++s) {
    for (std::size_t k = 0; k < prefix.size(); ++k) {
      weights_[s] *= score_->weight(prefix[k], (s >> k & 1U) != 0);
    }
  }
  float_weights_.assign(weights_.begin(), weights_.end());
}

WeightedPrefix JuntaScore::Prefix::weighted() const {
  return {counts_,
          score_->row_weights_,
          score_->measure_,
          static_cast<double>(score_->rows_),
          rows_.data(),
          float_weights_.data(),
          score_->float_set_.data() + first_c_,
          score_->float_clear_.data() + first_c_};
}

std::size_t JuntaScore::Prefix::promising(double threshold, std::uint32_t* found) const {
  if (!score_->row_weights_.even()) return find_promising_weighted(weighted(), threshold, found);
  if (score_->measure_ != JuntaMeasure::product) {
    return find_promising(counts_, score_->leads_to_reach(threshold), found);
  }
  const auto n = static_cast<double>(score_->rows_);
  const JuntaPrefix prefix{counts_,
                           float_weights_.data(),
                           lead_.data(),
                           size_.data(),
                           score_->float_set_.data() + first_c_,
                           score_->float_clear_.data() + first_c_};
  return find_promising_juntas(prefix, threshold * n * (n - 1), found);
}

double JuntaScore::Prefix::exact(std::size_t c) {
  make_cells(counts_, c, cells_);
  const std::size_t half = std::size_t{1} << counts_.bits;
  const auto n = static_cast<double>(score_->rows_);
  const auto inverse_share = [&](std::size_t s) {  // the top bit: c is not set
    return weights_[s & (half - 1)] * score_->weight(first_c_ + c, s < half);
  };
  if (!score_->row_weights_.even()) {
    const bool product = score_->measure_ == JuntaMeasure::product;
    WeightedSum sum(score_->row_weights_, score_->measure_, score_->rows_);
    for (std::size_t s = 0; s < 2 * half; ++s) {
      sum.add(cells_[s], cells_[2 * half + s], product ? inverse_share(s) : 1.0);
    }
    return sum.score();
  }
  if (score_->measure_ == JuntaMeasure::correlated) {
    CellSum sum(2, score_->rows_);
    for (std::size_t s = 0; s < 2 * half; ++s) sum.add(cells_.data() + s, 2 * half);
    return sum.score();
  }
  if (score_->measure_ == JuntaMeasure::agreement) {
    std::int64_t sum = 0;
    for (std::size_t s = 0; s < 2 * half; ++s) sum += std::abs(cells_[2 * half + s] - cells_[s]);
    return static_cast<double>(sum) / n;
  }
  double sum = 0;
  for (std::size_t s = 0; s < 2 * half; ++s) {
    const std::int64_t lead = std::abs(cells_[2 * half + s] - cells_[s]);
    const std::int64_t size = cells_[2 * half + s] + cells_[s];
    sum += inverse_share(s) * static_cast<double>(lead == 0 ? size : lead * (size - 1));
  }
  return sum / (n * (n - 1));
}

}  // namespace fsieve::methods
