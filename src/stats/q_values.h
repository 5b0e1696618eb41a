// The smallest false discovery rate at which each of many tests would count (Benjamini and Hochberg
// 1995).
#pragma once

#include <vector>

namespace fsieve::inline stats {

// In the order of the p-values: min over p' >= p of m p' / #{p-values <= p'}, at most 1.
[[nodiscard]] std::vector<double> q_values(const std::vector<double>& p_values);

}  // namespace fsieve::stats
