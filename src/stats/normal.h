// The normal distribution and its square, in logarithms far out.
#pragma once

namespace fsieve::inline stats {

// log P(Z > z).
[[nodiscard]] double log_normal_tail(double z);

// The z with P(Z ≤ z) = share, for a share between 0 and 1.
[[nodiscard]] double normal_quantile(double share);

// log P(X > x) of the chi-square distribution with `freedom` degrees of freedom.
[[nodiscard]] double log_chi_square_tail(double x, double freedom);

// The z² that the chi-square distribution of one degree exceeds with this chance.
[[nodiscard]] double squared_normal_quantile(double log_chance);

}  // namespace fsieve::stats
