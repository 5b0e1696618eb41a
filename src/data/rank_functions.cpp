#include "data/rank_functions.h"

#include <algorithm>

#include "base/binary_lists.h"
#include "data/ranked_rows.h"
#include "stats/normal.h"

namespace fsieve::inline data {
namespace {

constexpr double most_kept = 4096;

}  // namespace

RankFunctions::RankFunctions(std::span<const double> values, std::span<const double> weights) {
  const RankedRows rows(values, weights);
  half_row_ = 0.5 / std::max(rows.total(), 1.0);
  std::vector<Value> all;
  RankPowers powers;
  rows.for_each_value([&](const auto& equal, double rank, double share) {
    all.push_back({values[equal.front()], rank, share});
    powers.add(rank, share);
  });
  polynomials_ = powers.polynomials();
  lump_ = std::any_of(all.begin(), all.end(), [](const Value& v) { return v.share >= 0.5; });
  keep_some(all);
  std::vector<double> squares(ranks_.size());
  for (std::size_t k = 0; k < polynomials(); ++k) {
    polynomial(k, ranks_, squares.data());
    for (const double value : squares) peak_ = std::max(peak_, value * value);
  }
}

// Values of many rows, with their neighbours, and of the others so many that none is far from one
// that is kept.
void RankFunctions::keep_some(const std::vector<Value>& all) {
  const double step = 2 / most_kept;
  const auto heavy = [&](std::size_t k) { return k < all.size() && 2 * all[k].share > step; };
  for (std::size_t k = 0; k < all.size(); ++k) {
    const bool edge = k == 0 || k + 1 == all.size();
    const bool beside = heavy(k) || heavy(k + 1) || (k > 0 && heavy(k - 1));
    if (!edge && !beside && all[k].rank - ranks_.back() < step) continue;
    values_.push_back(all[k].value);
    ranks_.push_back(all[k].rank);
  }
}

void RankFunctions::ranks(std::span<const double> values, double* out) const {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    const auto above = static_cast<std::size_t>(
        std::lower_bound(values_.begin(), values_.end(), value) - values_.begin());
    if (above == values_.size()) {
      out[i] = ranks_.back();
    } else if (above == 0 || values_[above] == value) {
      out[i] = ranks_[above];
    } else {
      const double share = (value - values_[above - 1]) / (values_[above] - values_[above - 1]);
      out[i] = ranks_[above - 1] + share * (ranks_[above] - ranks_[above - 1]);
    }
  }
}

void RankFunctions::polynomial(std::size_t which, std::span<const double> ranks,
                               double* out) const {
  std::transform(ranks.begin(), ranks.end(), out, polynomials_[which]);
}

double RankFunctions::normal_score(double rank) const {
  return normal_quantile(std::clamp((1 + rank) / 2, half_row_, 1 - half_row_));
}

void RankFunctions::save(std::ostream& out) const {
  save_values(out, values_);
  save_values(out, ranks_);
  save_count(out, polynomials_.size());
  for (const RankPolynomial& own : polynomials_) save_values(out, own.coefficients());
  save_value(out, half_row_);
  save_flag(out, lump_);
  save_value(out, peak_);
}

RankFunctions RankFunctions::load(std::istream& in) {
  RankFunctions functions;
  load_list(in, functions.values_);
  load_list(in, functions.ranks_);
  load_each(in, [&] {
    RankPolynomial::Coefficients own{};
    load_values(in, own);
    functions.polynomials_.emplace_back(own);
  });
  load_value(in, functions.half_row_);
  functions.lump_ = load_flag(in);
  load_value(in, functions.peak_);
  return functions;
}

}  // namespace fsieve::data
