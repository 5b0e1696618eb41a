#include "methods/forward/forward.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <random>

#include "base/parallel.h"
#include "basis/parity.h"
#include "data/families.h"
#include "fsieve/error.h"
#include "measure/span_score.h"
#include "methods/forward/all_rows.h"
#include "methods/forward/estimated_steps.h"
#include "methods/forward/feature_worth.h"
#include "methods/forward/multiplicity.h"
#include "methods/forward/near_copies.h"
#include "methods/forward/promised_subsets.h"
#include "methods/forward/round.h"
#include "methods/forward/search_device.h"
#include "methods/forward/significance.h"
#include "methods/forward/single_tests.h"
#include "methods/forward/step.h"
#include "methods/forward/subset_scan.h"
#include "methods/forward/substitutes.h"
#include "methods/forward/together.h"

namespace fsieve::inline methods {
namespace {

// Subsets that a scan hands over to be computed exactly.
constexpr std::size_t exact_subsets = 300;
// With fewer promised ones left, a later round scans again.
constexpr std::size_t few_subsets = 30;

// Where a level is asked for, so many of the best steps of a kind are tried: a sparse function may
// catch most and still be no evidence.
constexpr std::size_t tried_at_level = 20;
// A product that fewer rows than this carry is not looked at where a level is asked for.
constexpr double least_rows_of_product = 5;

// Where a round stands: under a beam there are several.
struct State {
  Round round;
  std::vector<Step> steps;
  std::vector<TakenStep> taken;  // the same
  std::vector<double> scores;    // after each step
  std::size_t given = 0;         // features that the round began with
  bool done = false;
  bool sure = true;  // takes what is sure, not yet what is likely
  // What the best curve gained when curves were last looked at: hardly less than it does now.
  double curve_gain = std::numeric_limits<double>::infinity();

  // The share of the label that the span leaves, degrees of freedom taken into account; rounded, so
  // that the same features taken in another order leave the same.
  [[nodiscard]] double unexplained(double rows) const {
    const double freedom = rows - std::min(static_cast<double>(round.rank()), rows - 1);
    return std::round(round.left() / round.total() * rows / freedom * 1e10);
  }
};

// A level is asked for by `-k certain`, and by the shuffles of `--permutations`.
bool level_asked(const SffsOptions& options) { return !options.k || options.permutations > 0; }

double log_choose(std::size_t n, std::size_t k) {
  double log = 0;
  for (std::size_t i = 0; i < k; ++i) {
    log += std::log(static_cast<double>(n - i)) - std::log(static_cast<double>(i + 1));
  }
  return log;
}

class ForwardSearch {
 public:
  // `data`: as the search sees it; `label`: as it was given, which scores are about.
  ForwardSearch(const SupervisedData& data, const Label& label, const SffsOptions& options,
                const Wishes& wishes, Progress& progress)
      : data_(data),
        label_(label),
        options_(options),
        wishes_(wishes),
        progress_(progress),
        at_level_(level_asked(options)),
        width_(options.search == Search::beam ? options.beam : 1),
        reach_(at_level_ ? std::max(width_, tried_at_level) : width_),
        candidates_(options.k ? data.features : without_near_copies(data)),
        free_(candidates_),
        device_(options.device),
        random_(options.seed) {
    for (const std::size_t feature : wishes.keep) std::erase(free_, feature);
  }

  ForwardResult run() {
    const std::size_t wanted = options_.k.value_or(data_.features.size());
    progress_.begin("searching", wanted);
    const bool any = !free_.empty() || !wishes_.keep.empty();
    for (int number = 1; result_.selected.size() < wanted && (number == 1 ? any : !free_.empty());
         ++number) {
      const std::size_t before = result_.selected.size();
      // The kept features are selected in the first round, and begin the later ones.
      const std::size_t again = number == 1 ? 0 : wishes_.keep.size();
      finish(run_round(wanted - before + again), wanted, number);
      if (!options_.k || result_.selected.size() == before) break;
    }
    progress_.end();
    if (result_.steps.size() > options_.top) result_.steps.resize(options_.top);
    return std::move(result_);
  }

 private:
  // Explains the label with the features that are free, until nothing convinces.
  State run_round(std::size_t room) {
    std::vector<State> states;
    states.push_back(beginning());
    while (!std::all_of(states.begin(), states.end(), [](const State& s) { return s.done; })) {
      std::vector<State> next;
      for (State& state : states) {
        const std::vector<Step> steps = state.done ? std::vector<Step>() : best_steps(state, room);
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
  const Round& untouched() {
    if (untouched_) return *untouched_;
    Round& round = untouched_.emplace(data_, free_, options_.depth, Round::Estimates::kept,
                                      device_.for_work(work_of_estimates()));
    round.adjust_for(wishes_.adjust);
    if (!wishes_.adjust.empty() && !round.rows_left()) {
      throw Error(
          fmt::format("--adjust: the covariates are {} functions of {} rows, which leaves too few "
                      "rows to judge features by; leave out categories of many values",
                      round.rank() - 1, data_.rows()));
    }
    return round;
  }

  // Multiply-adds of the products of candidates with features taken, until a span of so many
  // functions is full: every function is multiplied with each subset, of which there are about as
  // many as features.
  [[nodiscard]] double work_of_estimates() const {
    if (options_.depth == 1) return 0;
    const auto wanted = static_cast<double>(options_.k.value_or(data_.features.size()));
    const double functions =
        std::min({static_cast<double>(most_functions), data_.weight() / rows_per_function,
                  wanted * (wanted + 1) / 2});
    return 2 * functions * std::sqrt(2 * functions) *
           static_cast<double>(data_.features.size() * data_.rows());
  }

  State beginning() {
    State state{untouched(), {}, {}, {}};
    for (const std::size_t feature : wishes_.keep) {
      take(kept_step(state.round, feature), state);
      ++state.given;
    }
    return state;
  }

  // With products where these are sure to help.
  [[nodiscard]] Step kept_step(const Round& round, std::size_t feature) const {
    Step step{StepKind::with_products, {feature}, {}};
    step.kept = true;
    if (options_.depth > 1 && !round.taken().empty() && round.products_fit(feature)) {
      step.worth = round.with_products(feature);
      if (log_f(round, step) + std::log(2) <= std::log(sure_chance)) return step;
    }
    step.kind = StepKind::alone;
    return step;
  }

  // The `width_` states that explain most, no two of the same features.
  void keep_best(std::vector<State>& states) const {
    if (width_ == 1) return;
    std::stable_sort(states.begin(), states.end(), [&](const State& a, const State& b) {
      return a.unexplained(data_.weight()) < b.unexplained(data_.weight());
    });
    std::vector<std::vector<std::size_t>> seen;
    std::vector<State> kept;
    for (State& state : states) {
      std::vector<std::size_t> features = state.round.taken();
      std::sort(features.begin(), features.end());
      if (kept.size() == width_ || std::find(seen.begin(), seen.end(), features) != seen.end()) {
        continue;
      }
      seen.push_back(std::move(features));
      kept.push_back(std::move(state));
    }
    states = std::move(kept);
  }

  // The best convincing steps of the first kind that has one; at most `width_`. A round that would
  // be empty takes the best single feature, unless only what convinces is wanted. How many features
  // are still wanted ends a round but never shapes a step, so a shorter path begins a longer one.
  std::vector<Step> best_steps(State& state, std::size_t room) {
    const Round& round = state.round;
    if (round.taken().size() >= room || round.free().empty()) return {};
    if (round.open()) {
      if (auto steps = convincing_steps(state); !steps.empty()) return steps;
    }
    if (round.taken().size() > state.given || !options_.k) return {};
    std::vector<Step> steps = candidates(round, StepKind::alone, 1);
    steps.resize(std::min<std::size_t>(steps.size(), 1));
    for (Step& step : steps) step.p_value = std::exp(log_f(round, step));
    return steps;
  }

  std::vector<Step> convincing_steps(State& state) {
    const Round& round = state.round;
    if (state.sure) {
      if (auto steps = single_steps_of_any_kind(state, sure_chance); !steps.empty()) return steps;
      const std::size_t most =
          std::min(round.free().size(), static_cast<std::size_t>(options_.depth));
      for (std::size_t size = 2; size <= most; ++size) {
        auto steps = convincing_subsets(round, size);
        if (!steps.empty()) return steps;
      }
    }
    state.sure = false;
    if (at_level_ || round.taken().size() == state.given) return {};
    return single_steps_of_any_kind(state, likely_chance);
  }

  std::vector<Step> single_steps_of_any_kind(State& state, double chance) {
    const Round& round = state.round;
    for (const StepKind kind : {StepKind::with_products, StepKind::alone}) {
      auto steps = convincing(round, 1, candidates(round, kind, 1), chance);
      if (steps.empty()) continue;
      auto curves = curves_that_gain_more(state, steps.front(), chance);
      return curves.empty() ? steps : curves;
    }
    return convincing(round, 1, candidates(round, StepKind::curved, 1), chance);
  }

  // Which of several convincing features comes first matters where K is given: the curve of another
  // one may say more. (That of the same feature comes in beside it where it convinces.) Gains
  // rarely grow, so curves are looked at again only when what they last gained is more than the
  // step does.
  std::vector<Step> curves_that_gain_more(State& state, const Step& step, double chance) {
    const double clearly_more = 1.25 * step.worth.gain;
    if (at_level_ || state.curve_gain <= clearly_more) return {};
    std::vector<Step> curves = candidates(state.round, StepKind::curved, 1);
    state.curve_gain = curves.empty() ? 0 : curves.front().worth.gain;
    std::erase_if(curves, [&](const Step& curve) {
      return curve.worth.gain <= clearly_more || curve.features == step.features;
    });
    return convincing(state.round, 1, std::move(curves), chance);
  }

  // Those of the best steps that convince.
  std::vector<Step> convincing(const Round& round, std::size_t size, std::vector<Step> steps,
                               double chance = sure_chance) {
    steps.resize(std::min(steps.size(), options_.permutations > 0 ? width_ : reach_));
    std::vector<Step> kept;
    for (Step& step : steps) {
      if (convinces(round, size, step, chance)) kept.push_back(std::move(step));
      if (kept.size() == width_) break;
    }
    return kept;
  }

  // The best steps of a kind, best first.
  std::vector<Step> candidates(const Round& round, StepKind kind, std::size_t size) {
    if (kind == StepKind::subset) return judged(round, scan(round, round.residual(), size));
    if (kind == StepKind::with_products && (round.taken().empty() || options_.depth == 1)) {
      return {};
    }
    return single_steps(round, kind);
  }

  [[nodiscard]] bool fits(const Round& round, StepKind kind, std::size_t feature) const {
    if (kind == StepKind::with_products) return round.products_fit(feature);
    return kind == StepKind::alone || (data_.curved(feature) && curves_fit(round, {feature}));
  }

  // Would the families of these features leave enough rows for each function?
  [[nodiscard]] bool curves_fit(const Round& round,
                                const std::vector<std::size_t>& features) const {
    std::size_t functions = round.rank();
    for (const std::size_t feature : features) {
      functions += data_.design.features[feature].last - data_.design.features[feature].first;
    }
    return rows_per_function * static_cast<double>(functions) <= data_.weight();
  }

  // The best steps of one feature. All are estimated; exact are those that may be among the best
  // `reach_`, the rest is left out.
  [[nodiscard]] std::vector<Step> single_steps(const Round& round, StepKind kind) const {
    EstimatedSteps estimates(estimated(round, kind));
    std::vector<Step> steps;
    while (true) {
      const double known = steps.size() < reach_ ? -std::numeric_limits<double>::infinity()
                                                 : steps[reach_ - 1].worth.gain;
      const std::vector<std::size_t> next = estimates.next(known, reach_);
      if (next.empty()) return steps;
      std::vector<Step> exact(next.size());
      in_parallel(next.size(), [&](std::size_t k) {
        exact[k].kind = kind;
        exact[k].features = {next[k]};
        exact[k].cost = wishes_.cost_of(next[k]);
        exact[k].judge(kind == StepKind::curved  ? round.curved(next[k])
                       : kind == StepKind::alone ? round.alone(next[k])
                                                 : round.with_products(next[k]));
      });
      std::erase_if(exact, [](const Step& step) { return step.worth.functions == 0; });
      steps.insert(steps.end(), exact.begin(), exact.end());
      std::sort(steps.begin(), steps.end());
    }
  }

  // What every feature would be worth, about; without those that bring nothing.
  [[nodiscard]] std::vector<EstimatedStep> estimated(const Round& round, StepKind kind) const {
    if (kind == StepKind::alone && wishes_.cost.empty()) {
      if (auto singles = round.estimate_each_alone(reach_)) return std::move(*singles);
    }
    std::vector<EstimatedStep> estimates;
    for (const std::size_t feature : round.free()) {
      if (fits(round, kind, feature)) estimates.push_back({feature, 0, 0, false});
    }
    std::vector<char> nothing(estimates.size(), 0);  // not of bits: threads write side by side
    in_parallel(estimates.size(), [&](std::size_t k) {
      EstimatedStep& estimate = estimates[k];
      const Catch worth = kind == StepKind::curved ? round.estimate_curved(estimate.feature)
                          : kind == StepKind::alone
                              ? round.estimate_alone(estimate.feature)
                              : round.estimate_with_products(estimate.feature);
      const double cost = wishes_.cost_of(estimate.feature);
      estimate.gain = worth.gain / cost;
      estimate.most =
          estimate.gain + std::max(round.error_at_least(worth.gain), worth.error) / cost;
      estimate.no_guide = std::isinf(worth.error);
      nothing[k] = worth.functions == 0 && !estimate.no_guide ? 1 : 0;
    });
    std::size_t kept = 0;
    for (std::size_t k = 0; k < estimates.size(); ++k) {
      if (nothing[k] == 0) estimates[kept++] = estimates[k];
    }
    estimates.resize(kept);
    return estimates;
  }

  // A scan looks at all subsets, so it comes last and is not repeated lightly: what earlier scans
  // promised is judged again first. The first round scans what it has left of the label until
  // nothing convinces. Later rounds explain the label again with other features; one scan of the
  // label itself finds the subsets that can take part in that, as long as enough of them are free.
  std::vector<Step> convincing_subsets(const Round& round, std::size_t size) {
    if (!scan_allowed(round.free().size(), size)) return {};
    const Subsets known = promised_[size].among(round.free());
    auto steps = convincing(round, size, judged(round, known));
    const bool first_round = result_.selected.empty();
    if (!steps.empty() || (!first_round && label_scanned_[size] && known.size() >= few_subsets)) {
      return steps;
    }
    label_scanned_[size] = !first_round;
    const std::vector<double> label = first_round ? round.residual() : data_.label.scaled_columns();
    steps = judged(round, scan(round, label, size));
    promised_[size].add(steps);
    return convincing(round, size, std::move(steps));
  }

  Subsets scan(const Round& round, const std::vector<double>& label, std::size_t size) {
    const auto factors = static_cast<int>(size);
    // Shuffled data are not on the device.
    const DeviceColumns* const on_device =
        &round.data() == &data_
            ? device_.for_scan(data_, work_of_scan(data_, label, round.free(), factors))
            : nullptr;
    return promising_subsets(round.data(), label, round.free(), factors,
                             at_level_ ? least_rows_of_product : 0, exact_subsets, on_device,
                             quiet_);
  }

  [[nodiscard]] std::vector<Step> judged(const Round& round, const Subsets& subsets) const {
    const std::vector<Catch> worth = round.of_subsets(subsets);
    std::vector<Step> steps;
    for (std::size_t k = 0; k < subsets.size(); ++k) {
      if (worth[k].functions == 0) continue;
      Step& step = steps.emplace_back(Step{StepKind::subset, subsets[k], {}});
      step.cost = wishes_.cost_of(subsets[k]);
      step.judge(worth[k]);
    }
    std::sort(steps.begin(), steps.end());
    return steps;
  }

  bool scan_allowed(std::size_t features, std::size_t size) {
    // A category is as many columns as it has levels but one.
    const double columns = std::max(1.0, static_cast<double>(data_.design.columns.size()) /
                                             static_cast<double>(data_.design.features.size()));
    const double work = std::exp(log_choose(features, size)) *
                        std::pow(columns, static_cast<double>(size)) *
                        static_cast<double>(data_.rows());
    if (work <= options_.scan_limit) return true;
    const std::string warning = fmt::format(
        "hidden subsets of {} features were not looked for: that takes {:.1e} products, more than "
        "--scan-limit {:.1e}",
        size, work, options_.scan_limit);
    if (!warned_[size]) result_.warnings.push_back(warning);
    warned_[size] = true;
    return false;
  }

  // log of the number of candidates that a step is the best of, where no level is asked for.
  [[nodiscard]] double log_candidates(const Step& step) const {
    return log_choose(data_.features.size(), step.features.size());
  }

  // The F tail times the number of candidates, in logarithms.
  [[nodiscard]] double log_f(const Round& round, const Step& step) const {
    const double rows_left = data_.weight() - static_cast<double>(round.rank());
    return log_f_chance(static_cast<double>(step.worth.functions), step.worth.caught, round.left(),
                        static_cast<double>(data_.label.freedom()), rows_left) +
           log_candidates(step);
  }

  // `chance`: where no level is asked for.
  bool convinces(const Round& round, std::size_t size, Step& step, double chance) {
    if (options_.permutations > 0) return survives_shuffles(round, size, step);
    const double quick = log_f(round, step);
    if (!at_level_) {
      step.p_value = std::exp(std::min(0.0, quick));
      return quick + std::log(2) <= std::log(chance);
    }
    const double tries = multiplicity().log_candidates(step.features) + std::log(ways(round));
    const double level = std::log(options_.alpha);
    if (!data_.balanced && quick - log_candidates(step) + tries > level) return false;
    const bool products = step.kind == StepKind::with_products || step.features.size() > 1;
    const double log = std::min(0.0, log_chance_of(round, added_by(round, step), products) + tries);
    step.p_value = std::exp(log);
    step.log_tries = tries;
    return log <= level;
  }

  // The kinds of steps that are tried at this point: each has its share of the level, curves one by
  // how many features have them.
  [[nodiscard]] double ways(const Round& round) {
    const bool products = !round.taken().empty() && options_.depth > 1;
    return options_.depth + multiplicity().curved_share() + (products ? 1 : 0);
  }

  const Multiplicity& multiplicity() {
    if (!multiplicity_) multiplicity_.emplace(data_, candidates_);
    return *multiplicity_;
  }

  [[nodiscard]] static std::vector<double> added_by(const Round& round, const Step& step) {
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

  [[nodiscard]] double log_chance_of(const Round& round, const std::vector<double>& functions,
                                     bool products = false) const {
    const Evidence evidence{data_, round.rank(), round.residual(), functions, nullptr, products};
    return at_level_ ? log_chance(evidence) : log_f_chance(evidence);
  }

  // The rows of all candidates together are shuffled against the features taken, the label and the
  // weights; the step convinces when few shuffles have a candidate of larger gain. Stops when that
  // is certain.
  bool survives_shuffles(const Round& round, std::size_t size, Step& step) {
    const auto total = static_cast<double>(options_.permutations + 1);
    std::size_t larger = 0;
    for (std::size_t b = 0; b < options_.permutations; ++b) {
      const SupervisedData shuffled = shuffled_candidates();
      const Round other = round.with_candidates_of(shuffled, step.kind == StepKind::with_products);
      const std::vector<Step> best = candidates(other, step.kind, size);
      if (!best.empty() && best[0].worth.gain >= step.worth.gain) ++larger;
      step.p_value = static_cast<double>(larger + 1) / total;
      if (step.p_value > options_.alpha / 2) return false;
    }
    return true;
  }

  SupervisedData shuffled_candidates() {
    std::vector<std::size_t> order(data_.rows());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random_() % i]);
    SupervisedData shuffled = data_;
    in_parallel(data_.design.columns.size(), [&](std::size_t c) {
      double* to = shuffled.standardised.data() + c * order.size();
      for (std::size_t i = 0; i < order.size(); ++i) to[i] = data_.column(c)[order[i]];
    });
    return shuffled;
  }

  void take(const Step& step, State& state) const {
    const double left = state.round.left();
    const std::size_t rank = state.round.rank();
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
    state.scores.push_back(
        span_score(label_, {state.round.span().functions(), state.round.rank() * data_.rows()}));
  }

  // The curves of features just taken come in too where they say more than what was taken. Do they?
  bool complete(const Step& step, Round& round) const {
    std::vector<std::size_t> curved;
    std::copy_if(step.features.begin(), step.features.end(), std::back_inserter(curved),
                 [&](std::size_t feature) { return data_.curved(feature); });
    if (curved.empty() || !curves_fit(round, curved)) return false;
    const std::vector<double> functions = round.added_curves(curved);
    if (log_chance_of(round, functions) > std::log(options_.alpha)) return false;
    round.add_curves(curved);
    return true;
  }

  // Writes a finished round into the result, up to the number of features wanted.
  void finish(const State& state, std::size_t wanted, int number) {
    const std::size_t first = number == 1 ? 0 : wishes_.keep.size();
    for (std::size_t k = first; k < state.steps.size() && result_.selected.size() < wanted; ++k) {
      const Step& step = state.steps[k];
      std::vector<std::size_t> taken = step.features;
      taken.resize(std::min(taken.size(), wanted - result_.selected.size()));
      for (const std::size_t feature : taken) {
        RelevantFeature selected{feature, result_.selected.size() + 1, {}, state.scores[k], {}};
        if (at_level_) {
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

  const SupervisedData& data_;
  const Label& label_;
  const SffsOptions& options_;
  const Wishes& wishes_;
  Progress& progress_;
  NoProgress quiet_;
  bool at_level_;
  std::size_t width_;
  std::size_t reach_;  // steps of a kind that may be tried
  // What a level is shared among. Where so many are wanted as convince, copies say nothing more.
  std::vector<std::size_t> candidates_;
  std::vector<std::size_t> free_;
  SearchDevice device_;
  std::optional<Round> untouched_;
  std::optional<Multiplicity> multiplicity_;  // where a level is asked for
  std::mt19937_64 random_;
  bool warned_[max_depth + 1] = {};
  PromisedSubsets promised_[max_depth + 1];  // by scans, by size
  bool label_scanned_[max_depth + 1] = {};
  ForwardResult result_;
};

}  // namespace

ForwardResult search_forward(const SupervisedData& data, const SffsOptions& options,
                             const Wishes& wishes, bool worth, Progress& progress,
                             const AllRows* all_rows) {
  const bool ranked = !options.k;
  const bool scores = (ranked || options.robust) && !data.label.classification;
  const bool curves = options.shape == Shape::curve && any_real(data);
  std::optional<SingleTests> tests;
  if (worth) tests.emplace(data, curves, wishes.adjust);
  SupervisedData changed;
  if (curves) {
    changed = with_curves(data, ranked, [&](std::size_t feature, const auto& polynomials) {
      if (tests && !polynomials.empty()) tests->test(feature, polynomials);
    });
  }
  if (!wishes.groups.empty()) changed = merged(curves ? changed : data, wishes.groups);
  if (scores && changed.source == nullptr) changed = data;
  if (scores) changed.label = with_normal_scores(data.label);
  const SupervisedData& seen = changed.source != nullptr ? changed : data;
  ForwardResult found = ForwardSearch(seen, data.label, options, wishes, progress).run();
  if (worth) {
    for (const Together& group : wishes.groups) tests->test(group.features);
    found.ranking = rank_features(seen, found.taken, options.depth, wishes, tests->finish());
    found.substitutes = find_substitutes(seen, found.taken, options.depth, wishes);
  }
  if (all_rows != nullptr) {
    const AllRows::Searched searched{data,   seen,  options, wishes, curves, curves && ranked,
                                     scores, curves};
    found.holds = all_rows->judge(searched, found, progress);
  }
  if (!wishes.groups.empty()) tell_apart(wishes.groups, found);
  return found;
}

}  // namespace fsieve::methods
