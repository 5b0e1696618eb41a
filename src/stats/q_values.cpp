#include "stats/q_values.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace fsieve::inline stats {

std::vector<double> q_values(const std::vector<double>& p_values) {
  const std::size_t count = p_values.size();
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> q(count);
  double least = 1;
  for (std::size_t k = count; k-- > 0;) {
    const double m_over_k = static_cast<double>(count) / static_cast<double>(k + 1);
    least = std::min(least, p_values[order[k]] * m_over_k);
    q[order[k]] = least;
  }
  return q;
}

}  // namespace fsieve::stats
