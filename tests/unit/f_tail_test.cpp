#include "stats/f_tail.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fsieve {
namespace {

// Values from the closed forms: with 2 degrees of freedom above, P(F > x) = (1 + 2x/d2)^(-d2/2);
// with 1 and 1, P = 1 − (2/π) atan √x; with 1 and 2, P = 1 − √(x / (x + 2)).
TEST(FTail, ClosedForms) {
  for (const double x : {0.01, 0.5, 1.0, 3.0, 20.0, 1e3}) {
    for (const double d2 : {1.0, 5.0, 30.0, 1000.0, 20000.0}) {
      EXPECT_NEAR(log_f_tail(x, 2, d2), -d2 / 2 * std::log1p(2 * x / d2),
                  1e-9 * (1 + d2 / 2 * std::log1p(2 * x / d2)));
    }
    EXPECT_NEAR(log_f_tail(x, 1, 1), std::log(1 - 2 / M_PI * std::atan(std::sqrt(x))), 1e-10);
    EXPECT_NEAR(log_f_tail(x, 1, 2), std::log(1 - std::sqrt(x / (x + 2))), 1e-10);
  }
}

TEST(FTail, FarTailsAndEnds) {
  EXPECT_EQ(log_f_tail(0, 3, 7), 0);
  EXPECT_LT(log_f_tail(1e6, 10, 1000), -2000);  // far below the smallest double
  EXPECT_TRUE(std::isfinite(log_f_tail(1e6, 10, 1000)));
  // The tail falls with the ratio.
  double last = 0;
  for (double x = 0.1; x < 50; x *= 1.3) {
    const double now = log_f_tail(x, 7, 133);
    EXPECT_LT(now, last);
    last = now;
  }
}

}  // namespace
}  // namespace fsieve
