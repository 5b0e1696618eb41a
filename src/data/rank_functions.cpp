#include "data/rank_functions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/binary_lists.h"
#include "data/families.h"
#include "stats/normal.h"

namespace fsieve::inline data {
namespace {

constexpr double most_kept = 4096;

}  // namespace

RankFunctions::RankFunctions(std::span<const double> values, std::span<const double> weights) {
  const auto weight_of = [&](std::size_t row) { return weights.empty() ? 1 : weights[row]; };
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return values[a] != values[b] ? values[a] < values[b] : a < b;
  });
  double total = 0;
  for (const std::size_t row : order) total += weight_of(row);
  half_row_ = 0.5 / std::max(total, 1.0);
  std::vector<Value> all;
  double below = 0;
  for (std::size_t first = 0; first < order.size();) {
    const double value = values[order[first]];
    double equal = 0;
    for (; first < order.size() && values[order[first]] == value; ++first) {
      equal += weight_of(order[first]);
    }
    all.push_back({value, 2 * (below + equal / 2) / total - 1, equal / total});
    below += equal;
  }
  lump_ = std::any_of(all.begin(), all.end(), [](const Value& v) { return v.share >= 0.5; });
  keep_some(all);
  make_polynomials(all);
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

// Gram and Schmidt on the powers of the ranks, by their means over the rows.
void RankFunctions::make_polynomials(const std::vector<Value>& all) {
  constexpr std::size_t powers = most_polynomials + 1;
  std::array<double, 2 * powers - 1> means{};
  for (const Value& value : all) {
    double power = value.share;
    for (double& mean : means) {
      mean += power;
      power *= value.rank;
    }
  }
  const auto inner = [&](const Coefficients& a, const Coefficients& b) {
    double sum = 0;
    for (std::size_t i = 0; i < powers; ++i) {
      for (std::size_t j = 0; j < powers; ++j) sum += a[i] * b[j] * means[i + j];
    }
    return sum;
  };
  const auto take_out = [&](Coefficients& own, const Coefficients& other) {
    const double share = inner(own, other);
    for (std::size_t i = 0; i < powers; ++i) own[i] -= share * other[i];
  };
  const Coefficients constant{1};
  for (std::size_t degree = 1; degree < powers; ++degree) {
    Coefficients own{};
    own[degree] = 1;
    const double before = inner(own, own);
    for (int pass = 0; pass < 2; ++pass) {
      take_out(own, constant);
      for (const Coefficients& other : polynomials_) take_out(own, other);
    }
    const double left = inner(own, own);
    if (!(left > trivial_polynomial * before)) continue;
    for (double& coefficient : own) coefficient /= std::sqrt(left);
    polynomials_.push_back(own);
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
  const Coefficients& c = polynomials_[which];
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const double r = ranks[i];
    out[i] = c[0] + r * (c[1] + r * (c[2] + r * c[3]));
  }
}

double RankFunctions::normal_score(double rank) const {
  return normal_quantile(std::clamp((1 + rank) / 2, half_row_, 1 - half_row_));
}

void RankFunctions::save(std::ostream& out) const {
  save_values(out, values_);
  save_values(out, ranks_);
  save_count(out, polynomials_.size());
  for (const Coefficients& coefficients : polynomials_) save_values(out, coefficients);
  save_value(out, half_row_);
  save_flag(out, lump_);
  save_value(out, peak_);
}

RankFunctions RankFunctions::load(std::istream& in) {
  RankFunctions functions;
  load_list(in, functions.values_);
  load_list(in, functions.ranks_);
  load_each(in, [&] { load_values(in, functions.polynomials_.emplace_back()); });
  load_value(in, functions.half_row_);
  functions.lump_ = load_flag(in);
  load_value(in, functions.peak_);
  return functions;
}

}  // namespace fsieve::data
