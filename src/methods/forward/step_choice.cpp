#include "methods/forward/step_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "methods/forward/multiplicity.h"
#include "methods/forward/significance.h"

namespace fsieve::inline methods {
namespace {

// With fewer promised subsets left, a later round scans again.
constexpr std::size_t few_subsets = 30;

}  // namespace

// A round that would be empty takes the best single feature, unless only what convinces is wanted.
// How many features are still wanted ends a round but never shapes a step, so a shorter path begins
// a longer one.
std::vector<Step> StepChoice::best_steps(RoundState& state, std::size_t room) {
  const Round& round = state.round;
  if (round.taken().size() >= room || round.free().empty()) return {};
  state.round.update_estimates();
  if (round.open()) {
    if (auto steps = convincing_steps(state); !steps.empty()) return steps;
  }
  if (round.taken().size() > state.given || !terms_.options.k) return {};
  std::vector<Step> steps = singles(state, StepKind::alone);
  steps.resize(std::min<std::size_t>(steps.size(), 1));
  for (Step& step : steps) step.p_value = std::exp(evidence_.log_f(round, step));
  return steps;
}

std::vector<Step> StepChoice::convincing_steps(RoundState& state) {
  const Round& round = state.round;
  if (state.sure) {
    if (auto steps = single_steps_of_any_kind(state, sure_chance); !steps.empty()) return steps;
    const std::size_t most =
        std::min(round.free().size(), static_cast<std::size_t>(terms_.options.depth));
    for (std::size_t size = 2; size <= most; ++size) {
      auto steps = convincing_subsets(state, size);
      if (!steps.empty()) return steps;
    }
  }
  state.sure = false;
  if (terms_.at_level || round.taken().size() == state.given) return {};
  return single_steps_of_any_kind(state, likely_chance);
}

// What is not sure may be likely: the same steps are asked for twice.
const std::vector<Step>& StepChoice::singles(RoundState& state, StepKind kind) {
  auto& known = state.singles.at(static_cast<std::size_t>(kind));
  if (!known) known = candidates_.of_kind(state.round, kind, 1);
  return *known;
}

std::vector<Step> StepChoice::single_steps_of_any_kind(RoundState& state, double chance) {
  const Round& round = state.round;
  for (const StepKind kind : {StepKind::with_products, StepKind::alone}) {
    auto steps = convincing(round, 1, singles(state, kind), chance);
    if (steps.empty()) continue;
    auto curves = curves_that_gain_more(state, steps.front(), chance);
    return curves.empty() ? steps : curves;
  }
  return convincing(round, 1, singles(state, StepKind::curved), chance);
}

// Which of several convincing features comes first matters where K is given: the curve of another
// one may say more. (That of the same feature comes in beside it where it convinces.) Gains
// rarely grow, so curves are looked at again only when what they last gained is more than the
// step does.
std::vector<Step> StepChoice::curves_that_gain_more(RoundState& state, const Step& step,
                                                    double chance) {
  const double clearly_more = 1.25 * step.worth.gain;
  if (terms_.at_level || state.curve_gain <= clearly_more) return {};
  std::vector<Step> curves = singles(state, StepKind::curved);
  state.curve_gain = curves.empty() ? 0 : curves.front().worth.gain;
  std::erase_if(curves, [&](const Step& curve) {
    return curve.worth.gain <= clearly_more || curve.features == step.features;
  });
  return convincing(state.round, 1, std::move(curves), chance);
}

// Those of the best steps that convince.
std::vector<Step> StepChoice::convincing(const Round& round, std::size_t size,
                                         std::vector<Step> steps, double chance) {
  steps.resize(
      std::min(steps.size(), terms_.options.permutations > 0 ? terms_.width : terms_.reach));
  std::vector<Step> kept;
  for (Step& step : steps) {
    if (evidence_.convinces(round, size, step, chance)) kept.push_back(std::move(step));
    if (kept.size() == terms_.width) break;
  }
  return kept;
}

// A scan looks at all subsets, so it comes last and is not repeated lightly: what earlier scans
// promised is judged again first. The first round scans what it has left of the label until
// nothing convinces. Later rounds explain the label again with other features; one scan of the
// label itself finds the subsets that can take part in that, as long as enough of them are free.
std::vector<Step> StepChoice::convincing_subsets(const RoundState& state, std::size_t size) {
  const Round& round = state.round;
  if (!scan_allowed(round.free().size(), size)) return {};
  const Subsets known = promised_[size].among(round.free());
  auto steps = convincing(round, size, candidates_.best_of(round, known), sure_chance);
  if (!steps.empty() ||
      (!state.first_round && label_scanned_[size] && known.size() >= few_subsets)) {
    return steps;
  }
  label_scanned_[size] = !state.first_round;
  const std::vector<double> label =
      state.first_round ? round.residual() : terms_.data.label.scaled_columns();
  steps = candidates_.judged(round, candidates_.scan(round, label, size));
  promised_[size].add(steps);
  return convincing(round, size, std::move(steps), sure_chance);
}

bool StepChoice::scan_allowed(std::size_t features, std::size_t size) {
  // A category is as many columns as it has levels but one.
  const double columns = std::max(1.0, static_cast<double>(terms_.data.design.columns.size()) /
                                           static_cast<double>(terms_.data.design.features.size()));
  const double work = std::exp(log_subsets(features, size)) *
                      std::pow(columns, static_cast<double>(size)) *
                      static_cast<double>(terms_.data.rows());
  if (work <= terms_.options.scan_limit) return true;
  const std::string warning = fmt::format(
      "hidden subsets of {} features were not looked for: that takes {:.1e} products, more than "
      "--scan-limit {:.1e}",
      size, work, terms_.options.scan_limit);
  if (!warned_[size]) warnings_.push_back(warning);
  warned_[size] = true;
  return false;
}

}  // namespace fsieve::methods
