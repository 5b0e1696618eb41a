#include "methods/forward/step_evidence.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "methods/forward/significance.h"

namespace fsieve::inline methods {
namespace {

std::vector<double> added_by(const Round& round, const Step& step) {
  switch (step.kind) {
    case StepKind::with_products:
      return round.added_with_products(step.features[0]);
    case StepKind::alone:
      return round.added_alone(step.features[0]);
    case StepKind::curved:
      return round.added_curved(step.features[0]);
    case StepKind::subset:
      break;
  }
  return round.added_subset(step.features);
}

}  // namespace

// log of the number of candidates that a step is the best of, where no level is asked for.
double StepEvidence::log_candidates(const Step& step) const {
  return log_subsets(terms_.data.features.size(), step.features.size());
}

double StepEvidence::log_f(const Round& round, const Step& step) const {
  const double rows_left = terms_.data.weight() - static_cast<double>(round.rank());
  return log_f_chance(static_cast<double>(step.worth.functions), step.worth.caught, round.left(),
                      static_cast<double>(terms_.data.label.freedom()), rows_left) +
         log_candidates(step);
}

bool StepEvidence::convinces(const Round& round, std::size_t size, Step& step, double chance) {
  if (terms_.options.permutations > 0) return survives_shuffles(round, size, step);
  if (!terms_.at_level) {
    const double limit = std::log(chance) - std::log(2);
    if (step.worth.error > 0 && in_doubt(round, step, limit)) {
      step.judge(StepCandidates::exactly(round, step.kind, step.features)[0]);
    }
    const double log = log_f(round, step);
    step.p_value = std::exp(std::min(0.0, log));
    return log <= limit;
  }
  const double quick = log_f(round, step);
  const double tries = multiplicity().log_candidates(step.features) + std::log(ways(round));
  const double level = std::log(terms_.options.alpha);
  if (!terms_.data.balanced && quick - log_candidates(step) + tries > level) return false;
  const bool products = step.kind == StepKind::with_products || step.features.size() > 1;
  const double log = std::min(0.0, log_chance_of(round, added_by(round, step), products) + tries);
  step.p_value = std::exp(log);
  step.log_tries = tries;
  return log <= level;
}

// May the error of an estimate decide?
bool StepEvidence::in_doubt(const Round& round, const Step& step, double limit) const {
  Step least = step;
  Step most = step;
  least.worth.caught = std::max(0.0, step.worth.caught - step.worth.error);
  most.worth.caught = std::min(round.left(), step.worth.caught + step.worth.error);
  return (log_f(round, least) <= limit) != (log_f(round, most) <= limit);
}

// The kinds of steps that are tried at this point: each has its share of the level, curves one by
// how many features have them.
double StepEvidence::ways(const Round& round) {
  const bool products = !round.taken().empty() && terms_.options.depth > 1;
  return terms_.options.depth + multiplicity().curved_share() + (products ? 1 : 0);
}

const Multiplicity& StepEvidence::multiplicity() {
  if (!multiplicity_) multiplicity_.emplace(terms_.data, terms_.candidates);
  return *multiplicity_;
}

double StepEvidence::log_chance_of(const Round& round, const std::vector<double>& functions,
                                   bool products) const {
  const Evidence evidence{terms_.data, round.rank(), round.residual(),
                          functions,   nullptr,      products};
  return terms_.at_level ? log_chance(evidence) : log_f_chance(evidence);
}

// The rows of all candidates together are shuffled against the features taken, the label and the
// weights; the step convinces when few shuffles have a candidate of larger gain. Stops when that
// is certain.
bool StepEvidence::survives_shuffles(const Round& round, std::size_t size, Step& step) {
  const auto total = static_cast<double>(terms_.options.permutations + 1);
  std::size_t larger = 0;
  for (std::size_t b = 0; b < terms_.options.permutations; ++b) {
    const SupervisedData shuffled = shuffled_candidates();
    const Round other = round.with_candidates_of(shuffled, step.kind == StepKind::with_products);
    const std::vector<Step> best = candidates_.of_kind(other, step.kind, size);
    if (!best.empty() && best[0].worth.gain >= step.worth.gain) ++larger;
    step.p_value = static_cast<double>(larger + 1) / total;
    if (step.p_value > terms_.options.alpha / 2) return false;
  }
  return true;
}

SupervisedData StepEvidence::shuffled_candidates() {
  std::vector<std::size_t> order(terms_.data.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random_() % i]);
  SupervisedData shuffled = terms_.data;
  in_parallel(terms_.data.design.columns.size(), [&](std::size_t c) {
    double* to = shuffled.standardised.data() + c * order.size();
    for (std::size_t i = 0; i < order.size(); ++i) to[i] = terms_.data.column(c)[order[i]];
  });
  return shuffled;
}

}  // namespace fsieve::methods
