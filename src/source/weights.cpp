#include "source/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fsieve/error.h"

namespace fsieve::inline source {

void check_weights(std::span<const double> weights, std::size_t rows) {
  if (weights.size() != rows) {
    throw Error(fmt::format("{} weights for {} rows: give one per row", weights.size(), rows));
  }
  double total = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    if (!std::isfinite(weights[i]) || weights[i] < 0) {
      throw Error(fmt::format("row {}: its weight is {}; a weight is a finite number, 0 or more",
                              i + 1, weights[i]));
    }
    total += weights[i];
  }
  if (total == 0) throw Error("all rows have weight 0: there is nothing to count");
  if (!std::isfinite(total)) throw Error("the sum of the weights is not finite: scale them down");
}

RootWeights::RootWeights(std::span<const double> weights) : roots_(weights.size()) {
  std::transform(weights.begin(), weights.end(), roots_.begin(),
                 [](double weight) { return std::sqrt(weight); });
}

}  // namespace fsieve::source
