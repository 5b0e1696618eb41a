#include "methods/forward/forward_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "fsieve/error.h"
#include "measure/telling_columns.h"
#include "methods/forward/significance.h"

namespace fsieve::inline methods {

ForwardSearch::ForwardSearch(const SearchTerms& terms, Progress& progress)
    : terms_(terms),
      progress_(progress),
      free_(terms.candidates),
      device_(terms.options.device),
      candidates_(terms, device_),
      evidence_(terms, candidates_),
      choice_(terms, candidates_, evidence_) {
  if (terms.options.k) {
    std::vector<bool> candidate(terms.data.design.features.size());
    for (const std::size_t feature : free_) candidate[feature] = true;
    std::copy_if(terms.data.features.begin(), terms.data.features.end(),
                 std::back_inserter(copies_),
                 [&](std::size_t feature) { return !candidate[feature]; });
  }
  for (const std::size_t feature : terms.wishes.keep) {
    std::erase(free_, feature);
    std::erase(copies_, feature);
  }
}

ForwardResult ForwardSearch::run() {
  const std::size_t wanted = terms_.options.k.value_or(terms_.data.features.size());
  progress_.begin("searching", wanted);
  const bool any = !free_.empty() || !terms_.wishes.keep.empty();
  for (int number = 1; result_.selected.size() < wanted && (number == 1 ? any : any_free());
       ++number) {
    const std::size_t before = result_.selected.size();
    // The kept features are selected in the first round, and begin the later ones.
    const std::size_t again = number == 1 ? 0 : terms_.wishes.keep.size();
    finish(run_round(wanted - before + again), wanted, number);
    if (!terms_.options.k) break;
    if (result_.selected.size() == before) free_.clear();
  }
  progress_.end();
  if (result_.steps.size() > terms_.options.top) result_.steps.resize(terms_.options.top);
  result_.warnings = choice_.warnings();
  return std::move(result_);
}

// A copy of a feature is as good as that one for the label, and no good beside it.
bool ForwardSearch::any_free() {
  if (!free_.empty() || copies_.empty()) return !free_.empty();
  free_.swap(copies_);
  untouched_.reset();
  return true;
}

// Explains the label with the features that are free, until nothing convinces.
RoundState ForwardSearch::run_round(std::size_t room) {
  std::vector<RoundState> states;
  states.push_back(beginning());
  while (!std::all_of(states.begin(), states.end(), [](const RoundState& s) { return s.done; })) {
    std::vector<RoundState> next;
    for (RoundState& state : states) {
      const std::vector<Step> steps =
          state.done ? std::vector<Step>() : choice_.best_steps(state, room);
      if (steps.empty()) {
        state.done = true;
        next.push_back(std::move(state));
        continue;
      }
      // The last step may take the state itself; the others need a copy.
      for (std::size_t k = 0; k + 1 < steps.size(); ++k) {
        next.push_back(state);
        take(steps[k], next.back());
      }
      next.push_back(std::move(state));
      take(steps.back(), next.back());
    }
    keep_best(next);
    states = std::move(next);
    progress_.advance(result_.selected.size() + states.front().round.taken().size());
  }
  return std::move(states.front());
}

// A round before anything is taken. What it knows of the candidates stays true, so later rounds
// begin with it too, without the features that are no longer free.
const Round& ForwardSearch::untouched() {
  if (untouched_) return *untouched_;
  Round& round = untouched_.emplace(terms_.data, free_, terms_.options.depth,
                                    Round::Estimates::kept, device_.for_work(work_of_estimates()));
  round.adjust_for(terms_.wishes.adjust);
  round.update_estimates();
  if (!terms_.wishes.adjust.empty() && !round.rows_left()) {
    throw Error(
        fmt::format("--adjust: the covariates are {} functions of {} rows, which leaves too few "
                    "rows to judge features by; leave out categories of many values",
                    round.rank() - 1, terms_.data.rows()));
  }
  return round;
}

// Multiply-adds of the products of candidates with features taken, until a span of so many
// functions is full: every function is multiplied with each subset, of which there are about as
// many as features.
double ForwardSearch::work_of_estimates() const {
  if (terms_.options.depth == 1) return 0;
  const auto wanted = static_cast<double>(terms_.options.k.value_or(terms_.data.features.size()));
  const double functions =
      std::min({static_cast<double>(most_functions), terms_.data.weight() / rows_per_function,
                wanted * (wanted + 1) / 2});
  return 2 * functions * std::sqrt(2 * functions) *
         static_cast<double>(terms_.data.features.size() * terms_.data.rows());
}

RoundState ForwardSearch::beginning() {
  RoundState state{untouched(), GrowingScore(terms_.label, terms_.label_explained),
                   result_.selected.empty()};
  for (const std::size_t feature : terms_.wishes.keep) {
    take(kept_step(state.round, feature), state);
    ++state.given;
  }
  return state;
}

// With products where these are sure to help.
Step ForwardSearch::kept_step(const Round& round, std::size_t feature) const {
  Step step{StepKind::with_products, {feature}, {}};
  step.kept = true;
  if (terms_.options.depth > 1 && !round.taken().empty() && round.products_fit(feature)) {
    step.worth = round.with_products(feature);
    if (evidence_.log_f(round, step) + std::log(2) <= std::log(sure_chance)) return step;
  }
  step.kind = StepKind::alone;
  return step;
}

// The states that explain most, no two of the same features.
void ForwardSearch::keep_best(std::vector<RoundState>& states) const {
  if (terms_.width == 1) return;
  std::stable_sort(states.begin(), states.end(), [&](const RoundState& a, const RoundState& b) {
    return a.unexplained(terms_.data.weight()) < b.unexplained(terms_.data.weight());
  });
  std::vector<std::vector<std::size_t>> seen;
  std::vector<RoundState> kept;
  for (RoundState& state : states) {
    std::vector<std::size_t> features = state.round.taken();
    std::sort(features.begin(), features.end());
    if (kept.size() == terms_.width ||
        std::find(seen.begin(), seen.end(), features) != seen.end()) {
      continue;
    }
    seen.push_back(std::move(features));
    kept.push_back(std::move(state));
  }
  states = std::move(kept);
}

void ForwardSearch::take(const Step& step, RoundState& state) const {
  const double left = state.round.left();
  const std::size_t rank = state.round.rank();
  state.singles = {};
  switch (step.kind) {
    case StepKind::with_products:
      state.round.take_with_products(step.features[0]);
      break;
    case StepKind::alone:
      state.round.take_alone(step.features[0]);
      break;
    case StepKind::curved:
      state.round.take_curved(step.features[0]);
      break;
    case StepKind::subset:
      state.round.take_subset(step.features);
      break;
  }
  const bool curves = step.kind != StepKind::curved && complete(step, state.round);
  const double gain = state.round.gain_since(left, rank) / state.round.total();
  state.steps.push_back(step);
  state.taken.push_back({step.kind, step.features, 0, curves,
                         std::max(0.0, gain) / static_cast<double>(step.features.size()),
                         step.features, step.log_tries});
  const Span& span = state.round.span();
  const std::size_t known = state.score.functions();
  state.score.add({span.functions(known), (span.rank() - known) * span.rows()});
  state.scores.push_back(state.score.score(state.round.residual()));
}

// The curves of features just taken come in too where they say more than what was taken. Do they?
bool ForwardSearch::complete(const Step& step, Round& round) const {
  std::vector<std::size_t> curved;
  std::copy_if(step.features.begin(), step.features.end(), std::back_inserter(curved),
               [&](std::size_t feature) { return terms_.data.curved(feature); });
  if (curved.empty() || !candidates_.curves_fit(round, curved)) return false;
  const std::vector<double> functions = round.added_curves(curved);
  if (evidence_.log_chance_of(round, functions) > std::log(terms_.options.alpha)) return false;
  round.add(functions);
  return true;
}

// Features that came in together: first the one that tells most by itself, wherever they stand.
std::vector<std::size_t> ForwardSearch::in_order(const Step& step) {
  std::vector<std::size_t> features = step.features;
  if (step.kind != StepKind::subset) return features;
  if (telling_.empty()) {
    telling_.resize(terms_.data.design.features.size());
    const std::vector<std::size_t> order = by_telling(*terms_.data.source, terms_.data.label);
    for (std::size_t k = 0; k < order.size(); ++k) telling_[order[k]] = k;
  }
  std::sort(features.begin(), features.end(),
            [&](std::size_t a, std::size_t b) { return telling_[a] < telling_[b]; });
  return features;
}

// Writes a finished round into the result, up to the number of features wanted.
void ForwardSearch::finish(const RoundState& state, std::size_t wanted, int number) {
  const std::size_t first = number == 1 ? 0 : terms_.wishes.keep.size();
  for (std::size_t k = first; k < state.steps.size() && result_.selected.size() < wanted; ++k) {
    const Step& step = state.steps[k];
    std::vector<std::size_t> taken = in_order(step);
    taken.resize(std::min(taken.size(), wanted - result_.selected.size()));
    for (const std::size_t feature : taken) {
      RelevantFeature selected{feature, result_.selected.size() + 1, {}, state.scores[k], {}};
      if (terms_.at_level) {
        selected.round = number;
        if (!step.kept) selected.p_value = step.p_value;
      }
      result_.selected.push_back(selected);
    }
    result_.taken.push_back(state.taken[k]);
    result_.taken.back().round = number;
    result_.taken.back().features = taken;
    result_.steps.push_back({std::move(taken), state.scores[k]});
  }
  free_ = state.round.free();
  untouched_->rule_out(state.round.taken());
}

}  // namespace fsieve::methods
