#include "methods/forward/all_rows.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "data/seen_columns.h"
#include "methods/forward/feature_worth.h"
#include "methods/forward/function_sums.h"
#include "methods/forward/gram_span.h"
#include "methods/forward/judgement_plan.h"
#include "methods/forward/significance.h"
#include "methods/forward/step_scores.h"
#include "stats/fold.h"

namespace fsieve::inline methods {
namespace {

// Groups of features are taken as one.
SeenColumns merged(SeenColumns columns, const Wishes& wishes) {
  for (const Together& group : wishes.groups) columns.merge(group.features);
  return columns;
}

class Judgement {
 public:
  Judgement(const Source& source, const WholeLabel& label, SeenColumns columns,
            const AllRows::Searched& searched, ForwardResult& found, Progress& progress)
      : source_(source),
        label_(label),
        columns_(merged(std::move(columns), searched.wishes)),
        searched_(searched),
        found_(found),
        progress_(progress),
        plan_(columns_, searched, found),
        others_(plan_.others()) {}

  bool run() {
    if (found_.taken.empty() && found_.ranking.empty()) return true;
    const std::set<std::size_t> known = worth_more();  // as the sample says
    std::vector<Functions> groups;
    for (const JudgedFeature& candidate : plan_.candidates) groups.push_back(candidate.functions);
    const auto plan = std::make_shared<FunctionPlan>(columns_, label_, plan_.catalogue.functions(),
                                                     std::move(groups));
    sums_.emplace(fold(source_, FunctionSums(plan), judging_all_rows, progress_));
    judge_steps();
    if (!found_.selected.empty()) score_steps();
    const bool all_left = take_back();
    if (!found_.ranking.empty()) {
      judge_substitutes();
      rank();
    }
    return all_left && !overlooked(known);
  }

 private:
  [[nodiscard]] double weight() const { return label_.weight(); }
  // The label columns that the search explained.
  [[nodiscard]] std::pair<std::size_t, std::size_t> searched_labels() const {
    if (searched_.scores) return {label_.columns(), label_.all_columns()};
    return {0, label_.columns()};
  }
  // Those that single features are tested against.
  [[nodiscard]] std::pair<std::size_t, std::size_t> tested_labels() const {
    if (label_.classification()) return {0, label_.columns()};
    return {label_.columns(), label_.all_columns()};
  }
  [[nodiscard]] GramSpan new_span(std::pair<std::size_t, std::size_t> labels) const {
    return {*sums_, weight(), labels.first, labels.second};
  }
  void grow(GramSpan& span, const Added& added) const {
    span.add(added.functions, added.trivial * weight());
  }

  void judge_steps() {
    log_f_.assign(found_.taken.size(), 0);
    for (const PlannedRound& round : plan_.rounds) {
      GramSpan span = new_span(searched_labels());
      for (const Added& added : round.before) grow(span, added);
      for (const PlannedStep& step : round.steps) {
        TakenStep& taken = found_.taken[step.place];
        const double left = span.left();
        const std::size_t rank = span.rank();
        const double columns = span.free_columns();
        grow(span, step.own);
        log_f_[step.place] =
            log_f_chance(static_cast<double>(span.rank() - rank), left - span.left(), left, columns,
                         weight() - static_cast<double>(rank));
        grow(span, step.curves);
        if (taken.round > 1 && !searched_.later_rounds) continue;
        taken.gain = std::max(0.0, span.gain_since(left, rank) / span.total()) /
                     static_cast<double>(taken.whole.size());
      }
    }
  }

  // A path per round, with the label as it was given.
  void score_steps() {
    std::vector<SpanPath> paths;
    std::vector<Functions> all;
    for (const PlannedRound& round : plan_.rounds) {
      GramSpan span = new_span({0, label_.columns()});
      for (const Added& added : round.before) grow(span, added);
      SpanPath& path = paths.emplace_back();
      for (const PlannedStep& step : round.steps) {
        grow(span, step.own);
        grow(span, step.curves);
        path.ranks.push_back(span.rank());
      }
      for (const std::size_t k : span.kept()) {
        path.functions.push_back(plan_.catalogue.functions()[k]);
      }
      path.factor = span.factor();
      path.on_label = span.on_label();
      all.push_back(path.functions);
    }
    const auto plan = std::make_shared<ScorePlan>(ScorePlan{
        label_, measure_of(searched_.sample.label), std::move(paths), FunctionRows(columns_, all)});
    const StepScores scores = fold(source_, StepScores(plan), scoring_all_rows, progress_);
    std::size_t next = 0;  // of the features selected
    for (std::size_t r = 0; r < plan_.rounds.size(); ++r) {
      for (std::size_t k = 0; k < plan_.rounds[r].steps.size(); ++k) {
        const std::size_t place = plan_.rounds[r].steps[k].place;
        const TakenStep& taken = found_.taken[place];
        if (place < found_.steps.size()) found_.steps[place].score = scores.score(r, k);
        for (std::size_t f = 0; f < taken.features.size() && next < found_.selected.size(); ++f) {
          RelevantFeature& selected = found_.selected[next++];
          selected.score = scores.score(r, k);
          if (taken.log_tries && f_is_right(scores.peak(r, k))) {
            selected.p_value = std::exp(std::min(0.0, log_f_[place] + *taken.log_tries));
          }
        }
      }
    }
  }

  // By the rarest cell of functions and label.
  [[nodiscard]] bool f_is_right(double peak) const {
    return !searched_.sample.balanced &&
           weight() / ((1 + peak) * (1 + label_.peak())) >= f_tail_rows;
  }

  // Where only what convinces is wanted, the first step that does not is the end.
  bool take_back() {
    if (searched_.options.k) return true;
    std::size_t features = 0;
    for (std::size_t s = 0; s < found_.taken.size(); ++s) {
      const std::size_t own = found_.taken[s].features.size();
      const std::optional<double> p = found_.selected[features].p_value;
      if (p && *p > searched_.options.alpha) {
        found_.selected.resize(features);
        found_.taken.resize(s);
        found_.steps.resize(std::min(found_.steps.size(), s));
        return false;
      }
      features += own;
    }
    return true;
  }

  // All that was taken, but for the functions of one feature.
  [[nodiscard]] GramSpan final_span(std::optional<std::size_t> without) const {
    GramSpan span = new_span(searched_labels());
    for (const Added& added : plan_.last.before) grow(span, added);
    for (const PlannedStep& step : plan_.last.steps) {
      if (step.place >= found_.taken.size()) continue;
      const bool alone = found_.taken[step.place].round > 1;
      const auto functions = static_cast<double>(span.rank() + step.own.functions.size());
      if (alone && rows_per_function * functions > weight()) continue;
      for (Added added : {step.own, step.curves}) {
        std::erase_if(added.functions, [&](std::size_t f) {
          return without && plan_.has_factor_of(*without, plan_.catalogue.functions()[f]);
        });
        grow(span, added);
      }
    }
    return span;
  }

  // Those that the sample proposes, where all rows agree (substitutes.h).
  void judge_substitutes() {
    constexpr double least_share = 0.5;
    const std::size_t looked_at = std::min<std::size_t>(17, 1 + others_.size());
    std::vector<Substitute> judged;
    for (auto first = found_.substitutes.begin(); first != found_.substitutes.end();) {
      const std::size_t replaced = first->instead_of;
      const auto last = std::find_if(first, found_.substitutes.end(),
                                     [&](const Substitute& s) { return s.instead_of != replaced; });
      const GramSpan span = final_span(replaced);
      const double own = gain_beside(span, replaced, std::nullopt, looked_at);
      std::vector<Substitute> some;
      for (; first != last; ++first) {
        const double gain = gain_beside(span, first->feature, replaced, looked_at);
        if (gain > 0 && gain >= least_share * own) {
          some.push_back({first->feature, replaced, own - gain});
        }
      }
      std::sort(some.begin(), some.end(), [](const Substitute& a, const Substitute& b) {
        return a.loss != b.loss ? a.loss < b.loss : a.feature < b.feature;
      });
      judged.insert(judged.end(), some.begin(), some.end());
    }
    found_.substitutes = std::move(judged);
  }

  void rank() {
    std::vector<std::optional<double>> p_values(columns_.features().size());
    for (const FeatureWorth& worth : found_.ranking) p_values[worth.feature] = worth.p_value;
    test_singles(p_values);
    const GramSpan span = final_span(std::nullopt);
    others_ = plan_.others();
    std::vector<double> gains;
    for (const std::size_t feature : others_) {
      gains.push_back(gain_beside(span, feature, std::nullopt, others_.size()));
    }
    found_.ranking = rank_features(found_.taken, others_, gains, searched_.wishes, p_values);
  }

  // A sample of few rows that carry most of a label's variance misses what is worth more. What the
  // search has seen and left out (it was to take so many), more rows would leave out too.
  [[nodiscard]] bool overlooked(const std::set<std::size_t>& known) const {
    const std::set<std::size_t> more = worth_more();
    return !std::includes(known.begin(), known.end(), more.begin(), more.end());
  }

  // Features that were left out and add much more, beside all that was taken, than one of these
  // did.
  [[nodiscard]] std::set<std::size_t> worth_more() const {
    constexpr double much = 1e-3;  // of the label's variance
    constexpr double more = 2;
    std::set<std::size_t> features;
    if (!searched_.wishes.cost.empty()) return features;
    double least = 1;
    for (std::size_t s = searched_.wishes.keep.size(); s < found_.taken.size(); ++s) {
      if (found_.taken[s].round == 1) least = std::min(least, found_.taken[s].gain);
    }
    for (const FeatureWorth& worth : found_.ranking) {
      const bool other = std::binary_search(others_.begin(), others_.end(), worth.feature);
      if (other && worth.gain > std::max(much, more * least)) features.insert(worth.feature);
    }
    return features;
  }

  [[nodiscard]] const JudgedFeature* candidate(std::size_t feature) const {
    const auto found = std::find_if(plan_.candidates.begin(), plan_.candidates.end(),
                                    [&](const JudgedFeature& c) { return c.feature == feature; });
    return found == plan_.candidates.end() ? nullptr : &*found;
  }

  // As gains_beside has it; `without`: no products with this feature.
  [[nodiscard]] double gain_beside(const GramSpan& span, std::size_t feature,
                                   std::optional<std::size_t> without,
                                   std::size_t candidates) const {
    const JudgedFeature* const own = candidate(feature);
    if (own == nullptr) return 0;
    const auto group = static_cast<std::size_t>(own - plan_.candidates.data());
    const double free = weight() - static_cast<double>(span.rank());
    double gain = 0;
    const auto consider = [&](const Places& functions, double trivial, bool sure) {
      if (functions.empty()) return;
      const Catch worth = span.caught(group, functions, trivial * weight());
      if (sure || likely_to_help(worth, span.left(), free, static_cast<double>(label_.freedom()),
                                 candidates)) {
        gain = std::max(gain, worth.gain);
      }
    };
    consider(own->alone, trivial_single, true);
    consider(own->curved, trivial_single, false);
    Places products = own->products;
    std::erase_if(products, [&](std::size_t k) {
      return without && plan_.has_factor_of(*without, own->functions[k]);
    });
    consider(products, trivial_product, false);
    return gain / span.total();
  }

  // The p-value of every feature alone, where the F tail is right; the others keep that of the
  // sample.
  void test_singles(std::vector<std::optional<double>>& p_values) const {
    GramSpan base = new_span(tested_labels());
    for (const Added& added : plan_.tested_beside) grow(base, added);
    const double columns = base.free_columns();
    const double free = weight() - static_cast<double>(base.rank());
    for (std::size_t g = 0; g < plan_.candidates.size(); ++g) {
      const JudgedFeature& own = plan_.candidates[g];
      const SeenFeature& feature = columns_.features()[own.feature];
      const bool smooth = label_.smooth() || (feature.real && columns_.smooth(own.feature));
      if (searched_.sample.balanced || !(smooth || f_is_right(columns_.peak(own.feature))))
        continue;
      const auto log_p = [&](const Places& functions) {
        const Catch worth = base.caught(g, functions, trivial_single * weight());
        return log_f_chance(static_cast<double>(worth.functions), worth.caught, base.left(),
                            columns, free);
      };
      double log = 0;
      if (feature.real && searched_.tested_curves && own.tested.size() > 1) {
        log = std::min(log_p({own.tested[0]}), log_p(own.tested)) + std::log(2);
      } else {
        log = log_p(feature.real ? Places{own.tested[0]} : own.tested);
      }
      p_values[own.feature] = std::exp(std::min(0.0, log));
    }
  }

  const Source& source_;
  const WholeLabel& label_;
  SeenColumns columns_;
  const AllRows::Searched& searched_;
  ForwardResult& found_;
  Progress& progress_;
  JudgementPlan plan_;
  std::vector<std::size_t> others_;
  std::optional<FunctionSums> sums_;
  std::vector<double> log_f_;  // of every step taken
};

}  // namespace

bool AllRows::judge(const Searched& searched, ForwardResult& found, Progress& progress) const {
  SeenColumns columns(design_, *searched.sample.source, searched.curves, searched.ranked);
  return Judgement(source_, label_, std::move(columns), searched, found, progress).run();
}

}  // namespace fsieve::methods
