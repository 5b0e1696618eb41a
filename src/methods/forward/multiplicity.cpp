#include "methods/forward/multiplicity.h"

#include <cmath>
#include <map>

#include "basis/parity.h"

namespace fsieve::inline methods {

double log_subsets(std::size_t n, std::size_t k) {
  double log = 0;
  for (std::size_t i = 0; i < k; ++i) {
    log += std::log(static_cast<double>(n - i)) - std::log(static_cast<double>(i + 1));
  }
  return log;
}

Multiplicity::Multiplicity(const SupervisedData& data, const std::vector<std::size_t>& candidates)
    : log_part_(data.design.features.size()) {
  const std::vector<Column>& columns = data.source->schema().features;
  std::map<std::size_t, double> became;  // candidates, by column of the input
  for (const std::size_t feature : candidates) ++became[columns[feature].index];
  double curved = 0;
  std::vector<double> sums(max_depth + 1);
  sums[0] = 1;
  for (const std::size_t feature : candidates) {
    const double part = 1 / became[columns[feature].index];
    log_part_[feature] = std::log(part);
    for (std::size_t size = max_depth; size > 0; --size) sums[size] += part * sums[size - 1];
    if (data.curved(feature)) curved += part;
  }
  for (const double sum : sums) log_sums_.push_back(std::log(sum));
  if (!candidates.empty()) curved_share_ = curved / sums[1];
}

double Multiplicity::log_candidates(const std::vector<std::size_t>& features) const {
  double log = log_sums_[features.size()];
  for (const std::size_t feature : features) log -= log_part_[feature];
  return log;
}

}  // namespace fsieve::methods
