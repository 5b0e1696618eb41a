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

// Thresholds in the units of find_promising. Scores are at most about 1 there, so this fits.
std::int32_t least_sum(double threshold, double unit) {
  return static_cast<std::int32_t>(
      std::clamp(std::floor(threshold * unit - 1e-3), -1.0, 2147483647.0));
}

}  // namespace

JuntaScore::JuntaScore(JuntaMeasure measure, std::size_t rows,
                       const std::vector<std::uint64_t>& high)
    : measure_(measure), rows_(rows) {
  const auto n = static_cast<double>(rows);
  for (const std::uint64_t count : high) {
    set_.push_back(n / static_cast<double>(count));
    clear_.push_back(n / (n - static_cast<double>(count)));
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

void JuntaScore::Prefix::set(const JuntaScore& score, const PrefixCounts& counts,
                             std::span<const std::size_t> prefix, std::size_t first_c) {
  score_ = &score;
  counts_ = counts;
  first_c_ = first_c;
  if (score.measure_ != JuntaMeasure::product) return;
  const std::size_t cells = std::size_t{1} << prefix.size();
  weights_.assign(cells, 1.0);
  lead_.resize(cells);
  size_.resize(cells);
  for (std::size_t s = 0; s < cells; ++s) {
    for (std::size_t k = 0; k < prefix.size(); ++k) {
      weights_[s] *= score.weight(prefix[k], (s >> k & 1U) != 0);
    }
    const auto first = static_cast<std::int32_t>(counts.without[s]);
    const auto second = static_cast<std::int32_t>(counts.without[cells + s]);
    lead_[s] = second - first;
    size_[s] = second + first;
  }
  for (std::size_t step = 1; step < cells; step *= 2) {
    for (std::size_t s = 0; s < cells; ++s) {
      if ((s & step) != 0) continue;
      lead_[s] -= lead_[s + step];
      size_[s] -= size_[s + step];
    }
  }
  float_weights_.assign(weights_.begin(), weights_.end());
}

std::size_t JuntaScore::Prefix::promising(double threshold, std::uint32_t* found) const {
  const auto n = static_cast<double>(score_->rows_);
  switch (score_->measure_) {
    case JuntaMeasure::product: {
      const JuntaPrefix prefix{counts_,
                               float_weights_.data(),
                               lead_.data(),
                               size_.data(),
                               score_->float_set_.data() + first_c_,
                               score_->float_clear_.data() + first_c_};
      return find_promising_juntas(prefix, threshold * n * (n - 1), found);
    }
    case JuntaMeasure::correlated:
      return find_promising(counts_, least_sum(threshold, n - 1), found);
    case JuntaMeasure::agreement:
      break;
  }
  return find_promising(counts_, least_sum(threshold, n), found);
}

double JuntaScore::Prefix::exact(std::size_t c) {
  make_cells(counts_, c, cells_);
  const std::size_t half = std::size_t{1} << counts_.bits;
  const auto n = static_cast<double>(score_->rows_);
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
    const double weight = weights_[s & (half - 1)] *
                          score_->weight(first_c_ + c, s < half);  // the top bit: c is not set
    sum += weight * static_cast<double>(lead == 0 ? size : lead * (size - 1));
  }
  return sum / (n * (n - 1));
}

}  // namespace fsieve::methods
