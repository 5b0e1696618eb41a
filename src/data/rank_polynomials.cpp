#include "data/rank_polynomials.h"

#include <cmath>

namespace fsieve::inline data {

// Gram and Schmidt on the powers of the ranks.
std::vector<RankPolynomial> RankPowers::polynomials() const {
  using Coefficients = RankPolynomial::Coefficients;
  constexpr std::size_t powers = most_rank_polynomials + 1;
  const auto inner = [&](const Coefficients& a, const Coefficients& b) {
    double sum = 0;
    for (std::size_t i = 0; i < powers; ++i) {
      for (std::size_t j = 0; j < powers; ++j) sum += a[i] * b[j] * means_[i + j];
    }
    return sum;
  };
  const auto take_out = [&](Coefficients& own, const Coefficients& other) {
    const double share = inner(own, other);
    for (std::size_t i = 0; i < powers; ++i) own[i] -= share * other[i];
  };
  const Coefficients constant{1};
  std::vector<RankPolynomial> polynomials;
  for (std::size_t degree = 1; degree < powers; ++degree) {
    Coefficients own{};
    own[degree] = 1;
    const double before = inner(own, own);
    for (int pass = 0; pass < 2; ++pass) {
      take_out(own, constant);
      for (const RankPolynomial& other : polynomials) take_out(own, other.coefficients());
    }
    const double left = inner(own, own);
    if (!(left > trivial_polynomial * before)) continue;
    for (double& coefficient : own) coefficient /= std::sqrt(left);
    polynomials.emplace_back(own);
  }
  return polynomials;
}

}  // namespace fsieve::data
