// The numbers of 004 Theorem 4's proof: how many rows for an excess error, and the way back.
#include "fsieve/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/log_gamma.h"
#include "fsieve/error.h"
#include "methods/junta/sign_features.h"
#include "source/checked_source.h"

namespace fsieve {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(message, Error::Kind::usage); }

double log_choose(std::size_t n, std::size_t k) {
  const auto a = static_cast<double>(n);
  const auto b = static_cast<double>(k);
  return log_factorial(a) - log_factorial(b) - log_factorial(a - b);
}

// Lemma 3.
double excess_of(double x) { return x * x * x + 1.5 * x * x + 1.25 * x; }

// Both lemmas solved for their ε: the smallest that n rows allow.
class Lemmas {
 public:
  Lemmas(std::size_t k, std::size_t d, double delta, double ck) {
    const auto features = static_cast<double>(k);
    const double half = delta / 2;  // δ₁ = δ₂
    spread_ = std::exp2(features / 2);
    // Lemma 4: n₁ = 72·2^{2k}·c_k² / (ε₁ − 2^{k/2}/√(n − 1))² · log(C(d, k) / (2 δ₁))
    first_ = 72 * std::exp2(2 * features) * ck * ck * (log_choose(d, k) - std::log(2 * half));
    // Lemma 7: n₂ = 8·2^{k/2}·c_k / ε₂² · log(2 k d^k / δ₂)
    second_ =
        8 * std::exp2(features / 2) * ck *
        (std::log(2 * features) + features * std::log(static_cast<double>(d)) - std::log(half));
  }

  [[nodiscard]] double epsilon1(double n) const {
    return std::sqrt(first_ / n) + spread_ / std::sqrt(n - 1);
  }
  [[nodiscard]] double epsilon2(double n) const { return std::sqrt(second_ / n); }
  [[nodiscard]] double epsilon(double n) const { return epsilon1(n) + excess_of(epsilon2(n)); }

 private:
  double spread_ = 0;
  double first_ = 0;
  double second_ = 0;
};

// ε falls with n: the n where it is `epsilon`. At the split that needs the fewest rows both lemmas
// need equally many.
double rows_for(const Lemmas& lemmas, double epsilon) {
  double low = 1 + 1e-9;
  double high = 2;
  while (lemmas.epsilon(high) > epsilon) {
    low = high;
    high *= 2;
    if (high > 1e300) refuse("no number of rows is enough for these values");
  }
  for (int step = 0; step < 200 && low < high; ++step) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (lemmas.epsilon(middle) > epsilon ? low : high) = middle;
  }
  return high;
}

void check(const BoundsQuestion& question) {
  const auto between = [](const char* name, double value) {
    if (!(value > 0 && value < 1)) refuse(fmt::format("{} {} is not between 0 and 1", name, value));
  };
  if (question.k < 1) refuse("k is at least 1");
  if (question.d < question.k) {
    throw Error(fmt::format("k = {} is more than d = {}", question.k, question.d));
  }
  between("delta", question.delta);
  if (!(question.ck >= 1) || !std::isfinite(question.ck)) {
    refuse(fmt::format("c_k {} is not 1 or more: no parity has a smaller maximum", question.ck));
  }
  if (question.epsilon.has_value() == question.rows.has_value()) {
    refuse("either an epsilon or a number of rows must be given");
  }
  if (question.epsilon) between("epsilon", *question.epsilon);
  if (question.rows && !(*question.rows >= 2)) refuse("at least 2 rows are needed");
}

}  // namespace

Bounds bounds(const BoundsQuestion& question) {
  check(question);
  const Lemmas lemmas(question.k, question.d, question.delta, question.ck);
  Bounds result;
  result.k = question.k;
  result.d = question.d;
  result.delta = question.delta;
  result.ck = question.ck;
  const double n = question.rows ? *question.rows : rows_for(lemmas, *question.epsilon);
  result.epsilon2 = lemmas.epsilon2(n);
  result.epsilon = question.epsilon.value_or(lemmas.epsilon(n));
  result.epsilon1 = result.epsilon - excess_of(result.epsilon2);
  result.n = result.n1 = result.n2 = std::ceil(n);
  // Lemmas 12 and 13 put ε₁ and ε₂ over k·2^k·c_k in the place of ε₀, and δ₁ = δ₂ in that of δ₀.
  const auto k = static_cast<double>(question.k);
  result.epsilon0 = std::min(result.epsilon1, result.epsilon2) / (k * std::exp2(k) * question.ck);
  result.n0 = std::ceil(8 / (result.epsilon0 * result.epsilon0) *
                        std::log(4 * static_cast<double>(question.d) / question.delta));
  return result;
}

double ck_of_bias(double bias, std::size_t k) {
  if (!(bias >= 0 && bias < 1)) {
    refuse(fmt::format("bias {} is not 0 or more and below 1", bias));
  }
  return std::pow((1 + bias) / (1 - bias),
                  static_cast<double>(k));  // ((1 + |μ|)/σ)² = (1+|μ|)/(1−|μ|)
}

TableCk ck_of_table(const Source& source, std::size_t k, Cut binarize, double cut,
                    Progress& progress) {
  const SignFeatures signs =
      make_sign_features(*CheckedInput(source), binarize, cut, false, progress);
  TableCk table{1, signs.features.size(), signs.warnings};
  if (k > table.features) {
    throw Error(fmt::format("k = {}, but only {} features are not constant", k, table.features));
  }
  std::vector<double> largest;
  const auto n = static_cast<double>(signs.rows);
  for (const SignFeature& feature : signs.features) {
    const auto high = static_cast<double>(feature.high);
    largest.push_back(std::max(high, n - high) / std::min(high, n - high));
  }
  std::sort(largest.begin(), largest.end(), std::greater<>());
  for (std::size_t j = 0; j < k; ++j) table.ck *= largest[j];
  return table;
}

}  // namespace fsieve
