#include "select/forward.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <set>

#include "basis/parity.h"
#include "select/round.h"
#include "select/subset_scan.h"
#include "stats/f_tail.h"
#include "stats/parallel.h"

namespace fsieve {
namespace {

// Subsets that a scan hands over to be computed exactly.
constexpr std::size_t exact_subsets = 300;
// How many of them are remembered; with few of those left, a later round scans again.
constexpr std::size_t remembered_subsets = 100;
constexpr std::size_t few_subsets = 30;

using Subsets = std::vector<std::vector<std::size_t>>;

enum class StepKind { with_products, alone, subset };

// A step that might be taken.
struct Step {
  StepKind kind = StepKind::alone;
  std::vector<std::size_t> features;
  Catch worth;
  double p_value = 1;

  bool operator<(const Step& other) const {
    return worth.gain != other.worth.gain ? worth.gain > other.worth.gain
                                          : features < other.features;
  }
};

// The subsets that scans have promised so far, each once.
class Promised {
 public:
  // The best of these, which come best first.
  void add(const std::vector<Step>& steps) {
    for (std::size_t k = 0; k < std::min(steps.size(), remembered_subsets); ++k) {
      if (known_.insert(steps[k].features).second) subsets_.push_back(steps[k].features);
    }
  }

  // Those of `free` features, which are in order.
  [[nodiscard]] Subsets among(const std::vector<std::size_t>& free) const {
    Subsets among;
    for (const auto& subset : subsets_) {
      const bool all = std::all_of(subset.begin(), subset.end(), [&](std::size_t feature) {
        return std::binary_search(free.begin(), free.end(), feature);
      });
      if (all) among.push_back(subset);
    }
    return among;
  }

 private:
  Subsets subsets_;  // in the order they were found in
  std::set<std::vector<std::size_t>> known_;
};

// Where a round stands: under a beam there are several.
struct State {
  Round round;
  std::vector<Step> steps;
  std::vector<double> scores;  // after each step
  bool done = false;

  // The share of the label that the span leaves, degrees of freedom taken into account; rounded, so
  // that the same features taken in another order leave the same.
  [[nodiscard]] double unexplained(double rows) const {
    const double freedom = rows - std::min(static_cast<double>(round.rank()), rows - 1);
    return std::round(round.left() / round.total() * rows / freedom * 1e10);
  }
};

double log_choose(std::size_t n, std::size_t k) {
  double log = 0;
  for (std::size_t i = 0; i < k; ++i) {
    log += std::log(static_cast<double>(n - i)) - std::log(static_cast<double>(i + 1));
  }
  return log;
}

class ForwardSearch {
 public:
  ForwardSearch(const SupervisedData& data, const SffsOptions& options, Progress& progress)
      : data_(data),
        options_(options),
        progress_(progress),
        width_(options.search == Search::beam ? options.beam : 1),
        free_(data.features),
        random_(options.seed) {}

  ForwardResult run() {
    const std::size_t wanted = options_.k.value_or(free_.size());
    progress_.begin("searching", wanted);
    for (int number = 1; result_.selected.size() < wanted && !free_.empty(); ++number) {
      const std::size_t before = result_.selected.size();
      finish(run_round(wanted - before), number);
      if (number == 1 && !result_.steps.empty()) {
        result_.first_round_score = result_.steps.back().score;
      }
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
    states.push_back({Round(data_, free_, options_.depth), {}, {}, false});
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
  // be empty takes the best single feature, unless only what convinces is wanted.
  std::vector<Step> best_steps(const State& state, std::size_t room) {
    const Round& round = state.round;
    if (round.taken().size() >= room || round.free().empty()) return {};
    if (round.open()) {
      if (auto steps = convincing_steps(state, room); !steps.empty()) return steps;
    }
    if (!round.taken().empty() || !options_.k) return {};
    std::vector<Step> steps = candidates(round, StepKind::alone, 1);
    steps.resize(std::min<std::size_t>(steps.size(), 1));
    for (Step& step : steps) step.p_value = std::exp(log_p(round, step));
    return steps;
  }

  std::vector<Step> convincing_steps(const State& state, std::size_t room) {
    const Round& round = state.round;
    for (const StepKind kind : {StepKind::with_products, StepKind::alone}) {
      auto steps = convincing(round, 1, candidates(round, kind, 1));
      if (!steps.empty()) return steps;
    }
    const std::size_t most = std::min({room - round.taken().size(), round.free().size(),
                                       static_cast<std::size_t>(options_.depth)});
    for (std::size_t size = 2; size <= most; ++size) {
      auto steps = convincing_subsets(round, size);
      if (!steps.empty()) return steps;
    }
    return {};
  }

  // Those of the best steps that convince.
  std::vector<Step> convincing(const Round& round, std::size_t size, std::vector<Step> steps) {
    steps.resize(std::min(steps.size(), width_));
    std::vector<Step> kept;
    for (Step& step : steps) {
      if (convinces(round, size, step)) kept.push_back(std::move(step));
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

  // The best steps of one feature. All are estimated; exact are those that may be among the best
  // `width_`, the rest is left out.
  [[nodiscard]] std::vector<Step> single_steps(const Round& round, StepKind kind) const {
    const bool products = kind == StepKind::with_products;
    std::vector<Step> estimates;
    for (const std::size_t feature : round.free()) {
      if (!products || round.products_fit(feature)) estimates.push_back({kind, {feature}, {}});
    }
    judge(estimates, [&](std::size_t feature) {
      return products ? round.estimate_with_products(feature) : round.estimate_alone(feature);
    });
    std::stable_sort(estimates.begin(), estimates.end(), [&](const Step& a, const Step& b) {
      return most_gain(round, a) > most_gain(round, b);
    });
    std::vector<Step> steps;
    for (std::size_t from = 0; from < estimates.size();) {
      const double known = steps.size() < width_ ? -std::numeric_limits<double>::infinity()
                                                 : steps[width_ - 1].worth.gain;
      const std::size_t to = next_exact(round, estimates, from, known);
      if (to == from) break;
      std::vector<Step> exact(estimates.begin() + static_cast<std::ptrdiff_t>(from),
                              estimates.begin() + static_cast<std::ptrdiff_t>(to));
      judge(exact, [&](std::size_t feature) {
        return products ? round.with_products(feature) : round.alone(feature);
      });
      steps.insert(steps.end(), exact.begin(), exact.end());
      std::sort(steps.begin(), steps.end());
      from = to;
    }
    return steps;
  }

  // The most that a step may be worth: its estimate and its error, which is never taken to be
  // smaller than a few digits of single precision.
  [[nodiscard]] static double most_gain(const Round& round, const Step& estimate) {
    const double about = estimate.worth.gain;
    const double least = 1e-3 * std::abs(about) + 4e-6 * std::sqrt(round.left() * round.total());
    return about + std::max(least, estimate.worth.error);
  }

  // The end of the estimates, of those from `from` on, that are judged exactly next, when the best
  // `width_` are worth `known` at least: all that say nothing, or those that may be better than
  // the best of them.
  [[nodiscard]] std::size_t next_exact(const Round& round, const std::vector<Step>& estimates,
                                       std::size_t from, double known) const {
    std::size_t to = from;
    while (to < estimates.size() && std::isinf(estimates[to].worth.error)) ++to;
    if (to > from) return to;
    double best = -std::numeric_limits<double>::infinity();
    for (; to < estimates.size(); ++to) {
      const double most = most_gain(round, estimates[to]);
      if (most < known || (to >= from + width_ && most < best)) break;
      best = std::max(best, estimates[to].worth.gain);
    }
    return to;
  }

  // The worth of each step of one feature; best first, without those that bring nothing.
  template <class Worth>
  static void judge(std::vector<Step>& steps, const Worth& worth) {
    in_parallel(steps.size(), [&](std::size_t k) { steps[k].worth = worth(steps[k].features[0]); });
    std::erase_if(steps, [](const Step& step) {
      return step.worth.functions == 0 && !std::isinf(step.worth.error);
    });
    std::sort(steps.begin(), steps.end());
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
    return promising_subsets(round.data(), label, round.free(), static_cast<int>(size),
                             exact_subsets, quiet_);
  }

  [[nodiscard]] static std::vector<Step> judged(const Round& round, const Subsets& subsets) {
    const std::vector<Catch> worth = round.of_subsets(subsets);
    std::vector<Step> steps;
    for (std::size_t k = 0; k < subsets.size(); ++k) {
      if (worth[k].functions > 0) steps.push_back({StepKind::subset, subsets[k], worth[k]});
    }
    std::sort(steps.begin(), steps.end());
    return steps;
  }

  bool scan_allowed(std::size_t features, std::size_t size) {
    const double work = std::exp(log_choose(features, size)) * static_cast<double>(data_.rows());
    if (work <= options_.scan_limit) return true;
    const std::string warning = fmt::format(
        "hidden subsets of {} features were not looked for: that takes {:.1e} products, more than "
        "--scan-limit {:.1e}",
        size, work, options_.scan_limit);
    if (!warned_[size]) result_.warnings.push_back(warning);
    warned_[size] = true;
    return false;
  }

  // log of the chance that the best of all candidates catches so much of noise: the tail of the F
  // distribution times the number of candidates.
  [[nodiscard]] double log_p(const Round& round, const Step& step) const {
    const auto p = static_cast<double>(step.worth.functions);
    const double free = data_.weight() - static_cast<double>(round.rank()) - p;
    if (free < 5) return 0;
    const double rest = std::max(round.left() - step.worth.caught, 1e-300);
    const double ratio = (step.worth.caught / p) / (rest / free);
    const auto c = static_cast<double>(data_.label.freedom());
    return std::min(0.0, log_f_tail(ratio, c * p, c * free) +
                             log_choose(data_.features.size(), step.features.size()));
  }

  bool convinces(const Round& round, std::size_t size, Step& step) {
    if (options_.permutations > 0) return survives_shuffles(round, size, step);
    const double log = log_p(round, step);
    step.p_value = std::exp(log);
    return log <= std::log(options_.alpha / 2);
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
    switch (step.kind) {
      case StepKind::with_products:
        state.round.take_with_products(step.features[0]);
        break;
      case StepKind::alone:
        state.round.take_alone(step.features[0]);
        break;
      case StepKind::subset:
        state.round.take_subset(step.features);
        break;
    }
    state.steps.push_back(step);
    state.scores.push_back(state.round.score());
  }

  // Writes a finished round into the result.
  void finish(const State& state, int number) {
    for (std::size_t k = 0; k < state.steps.size(); ++k) {
      const Step& step = state.steps[k];
      for (const std::size_t feature : step.features) {
        result_.selected.push_back(
            {feature, result_.selected.size() + 1, number, state.scores[k], step.p_value});
      }
      result_.steps.push_back({step.features, state.scores[k]});
    }
    free_ = state.round.free();
  }

  const SupervisedData& data_;
  const SffsOptions& options_;
  Progress& progress_;
  NoProgress quiet_;
  std::size_t width_;
  std::vector<std::size_t> free_;
  std::mt19937_64 random_;
  bool warned_[max_depth + 1] = {};
  Promised promised_[max_depth + 1];  // by scans, by size
  bool label_scanned_[max_depth + 1] = {};
  ForwardResult result_;
};

}  // namespace

ForwardResult search_forward(const SupervisedData& data, const SffsOptions& options,
                             Progress& progress) {
  return ForwardSearch(data, options, progress).run();
}

}  // namespace fsieve
