#include "methods/forward/step_candidates.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "methods/forward/subset_scan.h"

namespace fsieve::inline methods {
namespace {

// Subsets that a scan hands over to be computed exactly.
constexpr std::size_t exact_subsets = 300;
// A product that fewer rows than this carry is not looked at where a level is asked for.
constexpr double least_rows_of_product = 5;

}  // namespace

std::vector<Step> StepCandidates::of_kind(const Round& round, StepKind kind, std::size_t size) {
  if (kind == StepKind::subset) return judged(round, scan(round, round.residual(), size));
  if (kind == StepKind::with_products && (round.taken().empty() || terms_.options.depth == 1)) {
    return {};
  }
  if (kind == StepKind::curved && terms_.data.curves.empty()) return {};
  return single_steps(round, kind);
}

bool StepCandidates::fits(const Round& round, StepKind kind, std::size_t feature) const {
  if (kind == StepKind::with_products) return round.products_fit(feature);
  return kind == StepKind::alone || (terms_.data.curved(feature) && curves_fit(round, {feature}));
}

bool StepCandidates::curves_fit(const Round& round,
                                const std::vector<std::size_t>& features) const {
  std::size_t columns = 0;
  for (const std::size_t feature : features) {
    columns +=
        terms_.data.design.features[feature].last - terms_.data.design.features[feature].first;
  }
  return round.carries(columns);
}

// The best of estimated steps: exact are those that may be among the best `terms_.reach`, the rest
// is left out. judge(places) gives the exact ones, without those that bring nothing.
template <class Judge>
std::vector<Step> StepCandidates::best_exactly(std::vector<EstimatedStep> all,
                                               const Judge& judge) const {
  EstimatedSteps estimates(std::move(all));
  std::vector<Step> steps;
  while (true) {
    const double known = steps.size() < terms_.reach ? -std::numeric_limits<double>::infinity()
                                                     : steps[terms_.reach - 1].worth.gain;
    const std::vector<std::size_t> next = estimates.next(known, terms_.reach);
    if (next.empty()) return steps;
    const std::vector<Step> exact = judge(next);
    steps.insert(steps.end(), exact.begin(), exact.end());
    std::sort(steps.begin(), steps.end());
  }
}

// The best steps of one feature.
std::vector<Step> StepCandidates::single_steps(const Round& round, StepKind kind) const {
  std::vector<EstimatedStep> all = estimated(round, kind);
  if (auto best = clear_best(round, kind, all)) return {std::move(*best)};
  return best_exactly(std::move(all), [&](const std::vector<std::size_t>& features) {
    const std::vector<Catch> worth = exactly(round, kind, features);
    std::vector<Step> steps;
    for (std::size_t k = 0; k < features.size(); ++k) {
      if (worth[k].functions == 0) continue;
      Step& step = steps.emplace_back(Step{kind, {features[k]}, {}});
      step.cost = terms_.wishes.cost_of(features[k]);
      step.judge(worth[k]);
    }
    return steps;
  });
}

std::vector<Catch> StepCandidates::exactly(const Round& round, StepKind kind,
                                           const std::vector<std::size_t>& features) {
  return kind == StepKind::curved  ? round.each_curved(features)
         : kind == StepKind::alone ? round.each_alone(features)
                                   : round.each_with_products(features);
}

// Where no other may be as good the estimate will do, if no level, cost or curve asks for more.
std::optional<Step> StepCandidates::clear_best(const Round& round, StepKind kind,
                                               const std::vector<EstimatedStep>& all) const {
  if (all.size() != 1 || all[0].no_guide || terms_.at_level || terms_.reach > 1 ||
      !terms_.wishes.cost.empty() || !terms_.data.curves.empty()) {
    return std::nullopt;
  }
  Catch worth = kind == StepKind::alone ? round.estimate_alone(all[0].feature)
                                        : round.estimate_with_products(all[0].feature);
  if (worth.functions == 0 || std::isinf(worth.error)) return std::nullopt;
  worth.error = std::max(worth.error, round.error_at_least(worth.gain));
  return Step{kind, {all[0].feature}, worth};
}

// What every feature would be worth, about; without those that bring nothing.
std::vector<EstimatedStep> StepCandidates::estimated(const Round& round, StepKind kind) const {
  const bool costs = !terms_.wishes.cost.empty();
  if (kind == StepKind::curved && !costs && round.families_are_swept()) {
    return round.families_curved(terms_.reach);
  }
  const bool swept = !costs && (kind == StepKind::alone ||
                                (kind == StepKind::with_products && round.columns_have_products()));
  std::vector<EstimatedStep> estimates;
  const bool others = !swept || round.columns() < round.free().size();
  for (std::size_t k = 0; others && k < round.free().size(); ++k) {
    const std::size_t feature = round.free()[k];
    if (swept && round.is_among_columns(feature)) continue;
    if (fits(round, kind, feature)) estimates.push_back({feature, 0, 0, false});
  }
  std::vector<char> nothing(estimates.size(), 0);  // not of bits: threads write side by side
  in_parallel(estimates.size(), [&](std::size_t k) {
    EstimatedStep& estimate = estimates[k];
    const Catch worth = kind == StepKind::curved  ? round.estimate_curved(estimate.feature)
                        : kind == StepKind::alone ? round.estimate_alone(estimate.feature)
                                                  : round.estimate_with_products(estimate.feature);
    const double cost = terms_.wishes.cost_of(estimate.feature);
    estimate.gain = worth.gain / cost;
    estimate.most = estimate.gain + std::max(round.error_at_least(worth.gain), worth.error) / cost;
    estimate.no_guide = std::isinf(worth.error);
    nothing[k] = worth.functions == 0 && !estimate.no_guide ? 1 : 0;
  });
  std::size_t kept = 0;
  for (std::size_t k = 0; k < estimates.size(); ++k) {
    if (nothing[k] == 0) estimates[kept++] = estimates[k];
  }
  estimates.resize(kept);
  if (!swept) return estimates;
  const std::vector<EstimatedStep> best = kind == StepKind::alone
                                              ? round.columns_alone(terms_.reach)
                                              : round.columns_with_products(terms_.reach);
  estimates.insert(estimates.end(), best.begin(), best.end());
  return estimates;
}

Subsets StepCandidates::scan(const Round& round, const std::vector<double>& label,
                             std::size_t size) {
  const auto factors = static_cast<int>(size);
  // Shuffled data are not on the device.
  const DeviceColumns* const on_device =
      &round.data() == &terms_.data
          ? device_.for_scan(terms_.data, work_of_scan(terms_.data, label, round.free(), factors))
          : nullptr;
  return promising_subsets(round.data(), label, round.free(), factors,
                           terms_.at_level ? least_rows_of_product : 0, exact_subsets, on_device,
                           quiet_);
}

std::vector<Step> StepCandidates::best_of(const Round& round, const Subsets& subsets) {
  // Shuffled data are others.
  const bool remembered = &round.data() == &terms_.data && round.are_pairs_of_columns(subsets);
  if (!remembered) return judged(round, subsets);
  std::vector<EstimatedStep> estimates = round.estimate_pairs(subsets, pairs_);
  for (EstimatedStep& estimate : estimates) {
    const double cost = terms_.wishes.cost_of(subsets[estimate.feature]);
    estimate.gain /= cost;
    estimate.most /= cost;
  }
  return best_exactly(std::move(estimates), [&](const std::vector<std::size_t>& places) {
    Subsets some;
    for (const std::size_t place : places) some.push_back(subsets[place]);
    return judged(round, some);
  });
}

std::vector<Step> StepCandidates::judged(const Round& round, const Subsets& subsets) const {
  const std::vector<Catch> worth = round.of_subsets(subsets);
  std::vector<Step> steps;
  for (std::size_t k = 0; k < subsets.size(); ++k) {
    if (worth[k].functions == 0) continue;
    Step& step = steps.emplace_back(Step{StepKind::subset, subsets[k], {}});
    step.cost = terms_.wishes.cost_of(subsets[k]);
    step.judge(worth[k]);
  }
  std::sort(steps.begin(), steps.end());
  return steps;
}

}  // namespace fsieve::methods
