#include "orth/explain.h"

#include <algorithm>

#include "explain/support.h"

namespace fsieve {

void explain_from_coordinates(const Design& design, const std::vector<Parity>& kept,
                              const std::vector<double>& lower,
                              const std::vector<std::size_t>& features, Ledger& ledger,
                              const std::function<double(std::size_t, std::size_t)>& coordinate) {
  if (features.empty()) return;
  SupportFinder finder(kept, lower.data(), kept.size(), design.weight);
  const auto of_kept_features = [&](const Parity& parity) {
    return std::none_of(parity.columns().begin(), parity.columns().end(), [&](std::uint32_t c) {
      return ledger[design.columns[c].feature].verdict == Verdict::removed;
    });
  };
  for (const std::size_t feature : features) {
    Standing& standing = ledger[feature];
    standing.supports.clear();
    for (std::size_t c = design.features[feature].first; c < design.features[feature].last; ++c) {
      std::vector<double> coordinates(standing.best.rank);
      double residual2 = 1;
      for (std::size_t k = 0; k < coordinates.size(); ++k) {
        coordinates[k] = coordinate(c, k);
        residual2 -= coordinates[k] * coordinates[k];
      }
      standing.supports.push_back(
          finder.find(coordinates, std::max(residual2, 0.0), of_kept_features));
    }
  }
}

}  // namespace fsieve
