#include "methods/uffs/warnings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/number_text.h"
#include "equation/confirmation.h"
#include "equation/fit.h"
#include "methods/uffs/stage_rows.h"

namespace fsieve::inline methods {
namespace {

// Of many columns that nearly equal each other a few say nearly all. What a model needs may be in
// the rest.
void warn_of_spectra(UffsResult& result, const UffsOptions& options, const Design& design) {
  constexpr std::size_t many = 20;
  if (options.rule != Rule::adjusted || design.features.size() < many) return;
  const auto inexact = static_cast<std::size_t>(std::count_if(
      result.removed.begin(), result.removed.end(), [](const RemovedFeature& removed) {
        return removed.reason == Reason::redundant && removed.norm * removed.norm > exact_share;
      }));
  if (2 * inexact < design.features.size()) return;
  const double epsilon = *std::max_element(options.epsilon.begin(), options.epsilon.end());
  result.warnings.push_back(fmt::format(
      "{} of {} features nearly equal combinations of others and go, each with up to {:.2g} % of "
      "its variance; where small differences between columns matter, use a smaller --epsilon",
      inexact, design.features.size(), 100 * epsilon * epsilon));
}

}  // namespace

void warn_of_tests(UffsResult& result, const UffsOptions& options, const Design& design) {
  const auto undecided =
      std::count_if(result.selected.begin(), result.selected.end(),
                    [](const SelectedFeature& feature) { return feature.undecided; });
  if (undecided > 0) {
    result.warnings.push_back(
        fmt::format("{} undecided and kept: too few degrees of freedom were left to test {}",
                    undecided == 1 ? "1 feature is" : fmt::format("{} features are", undecided),
                    undecided == 1 ? "it" : "them"));
  }
  warn_of_spectra(result, options, design);
  const auto digits = [](const StageReport& stage) {
    return stage.engine == Engine::gram && stage.epsilon < gram_epsilon;
  };
  if (std::any_of(result.stages.begin(), result.stages.end(), digits)) {
    result.warnings.push_back(fmt::format(
        "the gram engine cannot tell norms below {} from 0: use the sample engine", gram_epsilon));
  }
  const auto saturated = std::count_if(
      result.removed.begin(), result.removed.end(),
      [](const RemovedFeature& feature) { return feature.reason == Reason::saturated; });
  if (saturated > 0) {
    result.warnings.push_back(fmt::format(
        "{} removed only because the parities before filled all {} dimensions of the data, "
        "whatever {}",
        saturated == 1 ? "1 feature was" : fmt::format("{} features were", saturated),
        design.dimensions, saturated == 1 ? "it holds" : "they hold"));
  }
}

void warn_of_weak_equations(UffsResult& result, double asked_r2) {
  constexpr double slack = 0.01;  // digits that other rows cost
  const double weak = std::min(0.9, asked_r2 - slack);
  std::size_t weak_ones = 0;
  std::size_t thin_ones = 0;
  for (const RemovedFeature& removed : result.removed) {
    const auto& equations = removed.equations;
    const auto is_weak = [&](const Equation& equation) { return equation.r2 < weak; };
    const auto fits = [](const Equation& equation) { return equation.r2_fit >= 1 - exact_share; };
    if (std::none_of(equations.begin(), equations.end(), is_weak)) continue;
    ++(std::all_of(equations.begin(), equations.end(), fits) ? thin_ones : weak_ones);
  }
  if (weak_ones > 0) {
    result.warnings.push_back(
        fmt::format("{} cannot be computed from the kept ones (R² below {:.3g})",
                    counted(weak_ones, "removed feature"), weak));
  }
  if (thin_ones > 0) {
    const bool one = thin_ones == 1;
    result.warnings.push_back(fmt::format(
        "the {} of {} {} exact in all rows, but fewer than {} of these tell of {}: how far other "
        "rows agree is not known (see {} R²)",
        one ? "equation" : "equations", counted(thin_ones, "removed feature"), one ? "is" : "are",
        firm_rows, one ? "it" : "each", one ? "its" : "their"));
  }
}

}  // namespace fsieve::methods
