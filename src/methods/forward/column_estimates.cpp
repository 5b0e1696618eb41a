#include "methods/forward/column_estimates.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/parallel.h"

namespace fsieve::inline methods {

EstimatedCatch catch_of_column(const ColumnSums& sums, std::size_t column, double least,
                               double rounding) {
  const std::size_t functions = sums.functions;
  thread_local std::vector<double> gram;
  thread_local std::vector<double> on_label;
  thread_local std::vector<double> squares;
  gram.resize(functions * functions);
  on_label.resize(functions * sums.labels);
  squares.resize(functions);
  for (std::size_t a = 0; a < functions; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      gram[a + b * functions] = sums.gram[(a * (a + 1) / 2 + b) * sums.stride + column];
    }
    squares[a] = sums.squares[a * sums.stride + column];
  }
  for (std::size_t k = 0; k < on_label.size(); ++k) {
    on_label[k] = sums.on_label[k * sums.stride + column];
  }
  return estimated_catch(functions, gram.data(), sums.labels, on_label.data(), squares.data(),
                         least, rounding);
}

std::vector<EstimatedStep> best_columns(const ColumnSums& sums,
                                        const std::vector<std::size_t>& features, std::size_t reach,
                                        const EstimateTerms& terms) {
  constexpr std::size_t at_once = 512;
  const std::size_t count = features.size();
  std::vector<double> gain(count);
  std::vector<double> most(count);
  std::vector<double> limits((count + at_once - 1) / at_once);
  in_parallel(limits.size(), [&](std::size_t b) {
    const std::size_t last = std::min((b + 1) * at_once, count);
    limits[b] = estimate_columns(sums, terms, b * at_once, last, gain.data(), most.data());
    for (std::size_t c = b * at_once; c < last; ++c) {
      if (!std::isinf(most[c]) || most[c] < 0) continue;
      const EstimatedGain closer =
          estimated_gain(catch_of_column(sums, c, terms.least, terms.rounding), terms);
      gain[c] = closer.gain;
      most[c] = closer.most;
    }
  });
  double limit = limits.empty() ? 0 : *std::max_element(limits.begin(), limits.end());
  if (reach > 1) {
    // What each is worth at least; where nothing is sure, nothing.
    std::vector<double> worst;
    for (std::size_t c = 0; c < count; ++c) {
      const double at_least = gain[c] - (most[c] - gain[c]);
      if (!std::isnan(at_least)) worst.push_back(at_least);
    }
    limit = -std::numeric_limits<double>::infinity();
    if (worst.size() > reach) {
      const auto last = worst.begin() + static_cast<std::ptrdiff_t>(reach - 1);
      std::nth_element(worst.begin(), last, worst.end(), std::greater<>());
      limit = *last;
    }
  }
  std::vector<EstimatedStep> steps;
  for (std::size_t c = 0; c < count; ++c) {
    if (most[c] < limit || std::isinf(gain[c])) continue;
    steps.push_back({features[c], gain[c], most[c], std::isinf(most[c])});
  }
  return steps;
}

}  // namespace fsieve::methods
