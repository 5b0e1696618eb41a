#include "methods/forward/curve_grams.h"

#include <algorithm>
#include <map>

namespace fsieve::inline methods {

CurveGrams::CurveGrams(const SupervisedData& data, const std::vector<std::size_t>& features,
                       std::size_t labels, const Span& span, const std::vector<double>& residual,
                       const ColumnGrams& singles) {
  std::map<std::size_t, std::vector<std::size_t>> of_size;
  for (const std::size_t feature : features) {
    const DesignFeature& columns = data.design.features[feature];
    of_size[columns.last - columns.first].push_back(feature);
  }
  for (auto& [functions, family] : of_size) {
    std::sort(family.begin(), family.end());
    families_.emplace_back(data, family, labels, residual, singles)
        .take_out(span, 0, nullptr, singles);
  }
}

void CurveGrams::take_out(const Span& span, std::size_t first, const double* on_residual,
                          const ColumnGrams& singles) {
  for (FamilyGrams& family : families_) family.take_out(span, first, on_residual, singles);
}

void CurveGrams::remove(const std::vector<std::size_t>& features) {
  for (FamilyGrams& family : families_) family.remove(features);
}

bool CurveGrams::has(std::size_t feature) const {
  return std::any_of(families_.begin(), families_.end(),
                     [&](const FamilyGrams& family) { return family.has(feature); });
}

EstimatedCatch CurveGrams::explained(std::size_t feature, double least) const {
  const auto family = std::find_if(families_.begin(), families_.end(),
                                   [&](const FamilyGrams& one) { return one.has(feature); });
  return family->explained(feature, least);
}

std::vector<EstimatedStep> CurveGrams::best(std::size_t reach, const EstimateTerms& terms) const {
  std::vector<EstimatedStep> steps;
  for (const FamilyGrams& family : families_) {
    const std::vector<EstimatedStep> best = family.best(reach, terms);
    steps.insert(steps.end(), best.begin(), best.end());
  }
  return steps;
}

}  // namespace fsieve::methods
