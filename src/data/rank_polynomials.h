// Polynomials of degrees 1 to 3 of ranks, orthonormal over rows of which the ranks' powers have
// known means.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace fsieve::inline data {

// Share of a polynomial's norm that must be its own.
inline constexpr double trivial_polynomial = 1e-3;
inline constexpr std::size_t most_rank_polynomials = 3;

// By the coefficients of powers 0 to 3.
class RankPolynomial {
 public:
  using Coefficients = std::array<double, most_rank_polynomials + 1>;
  RankPolynomial() = default;
  explicit RankPolynomial(const Coefficients& coefficients) : c_(coefficients) {}
  [[nodiscard]] double operator()(double rank) const {
    return c_[0] + rank * (c_[1] + rank * (c_[2] + rank * c_[3]));
  }
  [[nodiscard]] const Coefficients& coefficients() const { return c_; }

 private:
  Coefficients c_{};
};

// Means over the rows of the powers 0 to 6 of their ranks.
class RankPowers {
 public:
  // Rows that are this share of all.
  void add(double rank, double share) {
    double power = share;
    for (double& mean : means_) {
      mean += power;
      power *= rank;
    }
  }

  // Of mean 0 and variance 1 and orthogonal to each other: of degree 1 first, fewer than three
  // where the ranks have too few values for them.
  [[nodiscard]] std::vector<RankPolynomial> polynomials() const;

 private:
  std::array<double, 2 * most_rank_polynomials + 1> means_{};
};

}  // namespace fsieve::data
