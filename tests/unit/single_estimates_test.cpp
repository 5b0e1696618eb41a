// The sweep over single columns, beside the same formulas column by column.
#include "methods/forward/single_estimates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace fsieve {
namespace {

TEST(SingleEstimates, AreThoseOfEachColumn) {
  constexpr double no_limit = std::numeric_limits<double>::infinity();
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> share(0, 1);
  const SingleTerms terms{500, 0.5, 0.03, 120, 400, 1.0 / 300, 1e-5, 1 + 1.0 / 300, 1e-3, 1e-3};
  for (const std::size_t count : {1U, 2U, 7U, 64U, 1001U}) {
    std::vector<double> left(count);
    std::vector<double> squares(count);
    for (std::size_t c = 0; c < count; ++c) {
      // Some at the limit, some beyond it, some that are no candidates any more.
      left[c] = c % 5 == 0   ? terms.least + terms.off * (2 * share(random) - 1)
                : c % 5 == 1 ? -share(random)
                             : terms.weight * share(random);
      squares[c] = 60'000 * share(random);
    }
    std::vector<double> gain(count);
    std::vector<double> most(count);
    const double best =
        estimate_singles({count, left.data(), squares.data()}, terms, gain.data(), most.data());
    double expected_best = -no_limit;
    for (std::size_t c = 0; c < count; ++c) {
      const bool hidden = std::abs(left[c] - terms.least) <= terms.off;
      if (left[c] <= terms.least && !hidden) {
        EXPECT_EQ(gain[c], -no_limit);
        EXPECT_EQ(most[c], -no_limit);
        continue;
      }
      if (hidden) {
        EXPECT_EQ(most[c], no_limit);
        EXPECT_TRUE(std::isfinite(gain[c]));
        continue;
      }
      const double all = squares[c] / left[c];
      const double growth = terms.weight / left[c];
      const double caught = std::min(all, terms.residual);
      const double expected = caught - (terms.residual - caught) * terms.noise;
      const double off = 2 * terms.rounding * std::sqrt(terms.total * growth * all) +
                         terms.rounding * growth * all +
                         terms.rounding * terms.rounding * terms.total * growth;
      const double error = std::max(off * terms.error_grows,
                                    terms.least_error + terms.error_of_gain * std::abs(expected));
      EXPECT_NEAR(gain[c], expected, 1e-9);
      EXPECT_NEAR(most[c], expected + error, 1e-9 * (1 + error));
      expected_best = std::max(expected_best, expected - error);
    }
    if (std::isinf(expected_best)) {
      EXPECT_EQ(best, expected_best);
    } else {
      EXPECT_NEAR(best, expected_best, 1e-9);
    }
  }
}

}  // namespace
}  // namespace fsieve
