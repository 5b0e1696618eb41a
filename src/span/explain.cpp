#include "span/explain.h"

#include <algorithm>
#include <utility>

#include "span/support.h"

namespace fsieve::inline span {

void explain_from_coordinates(const Design& design, const std::vector<Parity>& kept,
                              const std::vector<double>& lower,
                              const std::vector<std::size_t>& features, Ledger& ledger,
                              const std::function<double(std::size_t, std::size_t)>& coordinate,
                              Progress& progress) {
  if (features.empty()) return;
  std::vector<bool> of_kept_features;
  of_kept_features.reserve(kept.size());
  for (const Parity& parity : kept) {
    of_kept_features.push_back(
        std::none_of(parity.columns().begin(), parity.columns().end(), [&](std::uint32_t c) {
          return ledger[design.columns[c].feature].verdict == Verdict::removed;
        }));
  }
  struct OwnedColumn {
    std::size_t column;
    std::size_t feature;
  };
  std::vector<OwnedColumn> columns;
  for (const std::size_t feature : features) {
    ledger[feature].supports.clear();
    for (std::size_t c = design.features[feature].first; c < design.features[feature].last; ++c) {
      columns.push_back({c, feature});
    }
  }
  const auto target = [&](std::size_t t) {
    const std::size_t feature = columns[t].feature;
    SupportTarget own{std::vector<double>(ledger[feature].best.rank), 1,
                      ledger.most_terms(feature)};
    for (std::size_t k = 0; k < own.coordinates.size(); ++k) {
      own.coordinates[k] = coordinate(columns[t].column, k);
      own.residual2 -= own.coordinates[k] * own.coordinates[k];
    }
    own.residual2 = std::max(own.residual2, 0.0);
    // The columns of one feature are confirmed together: one that nothing explains may not count.
    const DesignFeature& all = design.features[feature];
    if (all.last - all.first == 1) {
      own.patience = ledger.patience(own.residual2);
      own.bearable = ledger.judge().epsilon * ledger.judge().epsilon;
      own.hope = [&ledger, column = columns[t].column](const std::vector<Parity>& chosen,
                                                       const GramOf& gram_of) {
        return ledger.hope(column, chosen, gram_of);
      };
    }
    return own;
  };
  SupportFinder finder(kept, lower.data(), kept.size(), design.weight, of_kept_features);
  auto supports = finder.find(columns.size(), target, progress);
  for (std::size_t t = 0; t < columns.size(); ++t) {
    ledger[columns[t].feature].supports.push_back(std::move(supports[t]));
  }
}

}  // namespace fsieve::span
