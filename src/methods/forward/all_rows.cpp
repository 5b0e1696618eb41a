#include "methods/forward/all_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "data/seen_columns.h"
#include "methods/forward/feature_worth.h"
#include "methods/forward/function_sums.h"
#include "methods/forward/gram_span.h"
#include "methods/forward/significance.h"
#include "methods/forward/step_functions.h"
#include "methods/forward/step_scores.h"
#include "stats/fold.h"

namespace fsieve::inline methods {
namespace {

constexpr const char* summing = "judging on all rows";
constexpr const char* scoring = "scores of all rows";
// Rows in the rarest cell of feature and label from which on the F tail is good enough.
constexpr double many_rows = 1000;

using Places = std::vector<std::size_t>;

Functions singles(const std::vector<std::uint32_t>& columns) {
  Functions functions;
  for (const std::uint32_t column : columns) functions.push_back({column});
  return functions;
}

void append(Functions& to, const Functions& from) { to.insert(to.end(), from.begin(), from.end()); }

// The functions that spans are made of, each once.
class Catalogue {
 public:
  Catalogue() { place({}); }

  std::size_t place(Function function) {
    std::sort(function.begin(), function.end());
    const auto [known, is_new] = places_.try_emplace(function, functions_.size());
    if (is_new) functions_.push_back(std::move(function));
    return known->second;
  }
  Places places(const Functions& functions) {
    Places places;
    for (const Function& function : functions) places.push_back(place(function));
    return places;
  }
  [[nodiscard]] const Functions& functions() const { return functions_; }

 private:
  Functions functions_;
  std::map<Function, std::size_t> places_;
};

// Functions that come into a span together, and of which as much must be new.
struct Added {
  Places functions;
  double trivial = trivial_single;
};

// A step with its functions, and with the curves that came in after it.
struct PlannedStep {
  std::size_t place = 0;  // among the steps taken
  Added own;
  Added curves;
};

struct PlannedRound {
  std::vector<Added> before;  // covariates and what is kept
  std::vector<PlannedStep> steps;
};

// Functions of a feature beside the span: which of its group make what.
struct Candidate {
  std::size_t feature = 0;
  Functions functions;
  Places alone;
  Places curved;    // empty: it has no curves
  Places products;  // empty: they are not looked at
  Places tested;

  Places add(const Functions& more) {
    Places places;
    for (const Function& function : more) {
      places.push_back(functions.size());
      functions.push_back(function);
    }
    return places;
  }
};

class Judgement {
 public:
  Judgement(const Source& source, const WholeLabel& label, SeenColumns columns,
            const AllRows::Searched& searched, ForwardResult& found, Progress& progress)
      : source_(source),
        label_(label),
        columns_(std::move(columns)),
        searched_(searched),
        found_(found),
        progress_(progress) {
    for (const Together& group : searched.wishes.groups) columns_.merge(group.features);
    owner_.resize(columns_.size());
    for (std::size_t f = 0; f < columns_.features().size(); ++f) {
      const SeenFeature& feature = columns_.features()[f];
      for (const auto* const own : {&feature.own, &feature.tested}) {
        for (const std::uint32_t column : *own) owner_[column] = f;
      }
    }
  }

  bool run() {
    if (found_.taken.empty() && found_.ranking.empty()) return true;
    plan_rounds();
    if (!found_.ranking.empty()) plan_ranking();
    std::vector<Functions> groups;
    for (const Candidate& candidate : candidates_) groups.push_back(candidate.functions);
    const auto plan =
        std::make_shared<FunctionPlan>(columns_, label_, catalogue_.functions(), std::move(groups));
    sums_.emplace(fold(source_, FunctionSums(plan), summing, progress_));
    judge_steps();
    if (!found_.selected.empty()) score_steps();
    const bool all_left = take_back();
    if (!found_.ranking.empty()) {
      judge_substitutes();
      rank();
    }
    return all_left && !overlooked();
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

  // Covariates come in with their curves.
  std::vector<Added> covariates(const StepFunctions& functions) {
    Functions all;
    for (const std::size_t feature : searched_.wishes.adjust) {
      append(all, functions.curved(feature));
    }
    return {{catalogue_.places(all), trivial_single}};
  }

  PlannedStep plan_step(std::size_t place, const std::vector<std::size_t>& features,
                        StepFunctions& functions) {
    const TakenStep& step = found_.taken[place];
    const bool products = step.kind == StepKind::with_products || step.kind == StepKind::subset;
    PlannedStep planned;
    planned.place = place;
    planned.own = {catalogue_.places(functions.take(step, features)),
                   products ? trivial_product : trivial_single};
    if (step.curves) planned.curves.functions = catalogue_.places(functions.curves(features));
    return planned;
  }

  // Every round begins anew, with covariates and what is kept.
  void plan_rounds() {
    const std::size_t kept = std::min(searched_.wishes.keep.size(), found_.taken.size());
    for (std::size_t s = 0; s < found_.taken.size();) {
      StepFunctions functions(columns_, searched_.options.depth);
      PlannedRound round;
      round.before = covariates(functions);
      const int number = found_.taken[s].round;
      for (std::size_t k = 0; k < kept && number > 1; ++k) {
        const PlannedStep step = plan_step(k, found_.taken[k].whole, functions);
        round.before.push_back(step.own);
        round.before.push_back(step.curves);
      }
      for (; s < found_.taken.size() && found_.taken[s].round == number; ++s) {
        round.steps.push_back(plan_step(s, found_.taken[s].whole, functions));
      }
      rounds_.push_back(std::move(round));
    }
  }

  // The span of all that was taken, as final_round has it, and what is judged beside it.
  void plan_ranking() {
    StepFunctions functions(columns_, searched_.options.depth);
    final_.before = covariates(functions);
    for (std::size_t s = 0; s < found_.taken.size(); ++s) {
      const TakenStep& step = found_.taken[s];
      if (step.round == 1) {
        final_.steps.push_back(plan_step(s, step.features, functions));
        continue;
      }
      for (const std::size_t feature : step.features) {
        const TakenStep alone{StepKind::alone, {feature}};
        PlannedStep& planned = final_.steps.emplace_back();
        planned.place = s;
        planned.own.functions = catalogue_.places(functions.take(alone, {feature}));
      }
    }
    find_others();
    const std::vector<bool> with_products = products_looked_at(functions);
    for (std::size_t f = 0; f < columns_.features().size(); ++f) {
      if (columns_.features()[f].tested.empty() || is_covariate(f)) continue;
      Candidate& candidate = candidates_.emplace_back();
      candidate.feature = f;
      candidate.tested = candidate.add(singles(columns_.features()[f].tested));
      candidate.alone = candidate.add(functions.alone(f));
      const Functions curves = functions.curves({f});
      if (!curves.empty()) {
        candidate.curved = candidate.alone;
        const Places places = candidate.add(curves);
        candidate.curved.insert(candidate.curved.end(), places.begin(), places.end());
      }
      if (with_products[f]) candidate.products = candidate.add(functions.with_products(f));
      if (is_replaced(f)) {
        // With the others that were taken: the last factor is its own column.
        Functions products = functions.with_products(f);
        std::erase_if(products, [&](const Function& product) {
          return product.size() == 1 || has_factor_of(f, {product.begin(), product.end() - 1});
        });
        if (rank_at_most() + products.size() <= most_functions) {
          candidate.products = candidate.alone;
          const Places places = candidate.add(products);
          candidate.products.insert(candidate.products.end(), places.begin(), places.end());
        }
      }
    }
    for (const std::size_t f : searched_.wishes.adjust) {
      const SeenFeature& feature = columns_.features()[f];
      Functions own = singles(feature.own);
      if (feature.real && searched_.tested_curves) append(own, singles(feature.tested));
      tested_beside_.push_back({catalogue_.places(own), trivial_single});
    }
  }

  [[nodiscard]] bool has_factor_of(std::size_t feature, const Function& function) const {
    return std::any_of(function.begin(), function.end(),
                       [&](std::uint32_t column) { return owner_[column] == feature; });
  }

  // Does another feature stand in for it?
  [[nodiscard]] bool is_replaced(std::size_t feature) const {
    return searched_.options.depth > 1 &&
           std::any_of(found_.substitutes.begin(), found_.substitutes.end(),
                       [&](const Substitute& s) { return s.instead_of == feature; });
  }

  // Functions of the span of all that was taken.
  [[nodiscard]] std::size_t rank_at_most() const {
    std::size_t rank = 1;
    for (const Added& added : final_.before) rank += added.functions.size();
    for (const PlannedStep& step : final_.steps) {
      rank += step.own.functions.size() + step.curves.functions.size();
    }
    return rank;
  }

  [[nodiscard]] bool is_covariate(std::size_t feature) const {
    const std::vector<std::size_t>& adjust = searched_.wishes.adjust;
    return std::find(adjust.begin(), adjust.end(), feature) != adjust.end();
  }

  // Features that stand for themselves and are not taken.
  void find_others() {
    others_ = other_features(columns_.design(), found_.taken, searched_.wishes);
    std::erase_if(others_, [&](std::size_t f) { return columns_.features()[f].plain.empty(); });
  }

  // Those that fit; where they are many, the sample says whose promise most.
  [[nodiscard]] std::vector<bool> products_looked_at(const StepFunctions& functions) const {
    std::vector<bool> looked_at(columns_.features().size(), false);
    if (searched_.options.depth < 2 || found_.taken.empty()) return looked_at;
    const std::size_t rank = rank_at_most();
    std::vector<std::size_t> fitting;
    for (const std::size_t f : others_) {
      const std::size_t more = functions.with_products(f).size();
      if (rank + more <= most_functions) fitting.push_back(f);
    }
    if (fitting.size() > exact_products) {
      std::erase_if(fitting, [&](std::size_t f) {
        return searched_.seen.design.features[f].constant;  // in the sample
      });
      const Round round =
          final_round(searched_.seen, found_.taken, searched_.options.depth, searched_.wishes);
      for (const std::size_t k : promising(round, fitting)) looked_at[fitting[k]] = true;
      return looked_at;
    }
    for (const std::size_t f : fitting) looked_at[f] = true;
    return looked_at;
  }

  void judge_steps() {
    log_f_.assign(found_.taken.size(), 0);
    for (const PlannedRound& round : rounds_) {
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
    for (const PlannedRound& round : rounds_) {
      GramSpan span = new_span({0, label_.columns()});
      for (const Added& added : round.before) grow(span, added);
      SpanPath& path = paths.emplace_back();
      for (const PlannedStep& step : round.steps) {
        grow(span, step.own);
        grow(span, step.curves);
        path.ranks.push_back(span.rank());
      }
      for (const std::size_t k : span.kept()) {
        path.functions.push_back(catalogue_.functions()[k]);
      }
      path.factor = span.factor();
      path.on_label = span.on_label();
      all.push_back(path.functions);
    }
    const auto plan = std::make_shared<ScorePlan>(ScorePlan{
        label_, measure_of(searched_.sample.label), std::move(paths), FunctionRows(columns_, all)});
    const StepScores scores = fold(source_, StepScores(plan), scoring, progress_);
    std::size_t next = 0;  // of the features selected
    for (std::size_t r = 0; r < rounds_.size(); ++r) {
      for (std::size_t k = 0; k < rounds_[r].steps.size(); ++k) {
        const std::size_t place = rounds_[r].steps[k].place;
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
    return !searched_.sample.balanced && weight() / ((1 + peak) * (1 + label_.peak())) >= many_rows;
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
    for (const Added& added : final_.before) grow(span, added);
    for (const PlannedStep& step : final_.steps) {
      if (step.place >= found_.taken.size()) continue;
      const bool alone = found_.taken[step.place].round > 1;
      const auto functions = static_cast<double>(span.rank() + step.own.functions.size());
      if (alone && rows_per_function * functions > weight()) continue;
      for (Added added : {step.own, step.curves}) {
        std::erase_if(added.functions, [&](std::size_t f) {
          return without && has_factor_of(*without, catalogue_.functions()[f]);
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
    find_others();
    std::vector<double> gains;
    for (const std::size_t feature : others_) {
      gains.push_back(gain_beside(span, feature, std::nullopt, others_.size()));
    }
    found_.ranking = rank_features(found_.taken, others_, gains, searched_.wishes, p_values);
  }

  // Does a feature that was left out add much more, beside all that was taken, than one of these
  // did? A sample of few rows that carry most of a label's variance misses such a one.
  [[nodiscard]] bool overlooked() const {
    constexpr double much = 1e-3;  // of the label's variance
    constexpr double more = 2;
    if (!searched_.wishes.cost.empty()) return false;
    double least = 1;
    for (std::size_t s = searched_.wishes.keep.size(); s < found_.taken.size(); ++s) {
      if (found_.taken[s].round == 1) least = std::min(least, found_.taken[s].gain);
    }
    return std::any_of(found_.ranking.begin(), found_.ranking.end(), [&](const auto& worth) {
      const bool other = std::binary_search(others_.begin(), others_.end(), worth.feature);
      return other && worth.gain > std::max(much, more * least);
    });
  }

  [[nodiscard]] const Candidate* candidate(std::size_t feature) const {
    const auto found = std::find_if(candidates_.begin(), candidates_.end(),
                                    [&](const Candidate& c) { return c.feature == feature; });
    return found == candidates_.end() ? nullptr : &*found;
  }

  // As gains_beside has it; `without`: no products with this feature.
  [[nodiscard]] double gain_beside(const GramSpan& span, std::size_t feature,
                                   std::optional<std::size_t> without,
                                   std::size_t candidates) const {
    const Candidate* const own = candidate(feature);
    if (own == nullptr) return 0;
    const auto group = static_cast<std::size_t>(own - candidates_.data());
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
      return without && has_factor_of(*without, own->functions[k]);
    });
    consider(products, trivial_product, false);
    return gain / span.total();
  }

  // The p-value of every feature alone, where the F tail is right; the others keep that of the
  // sample.
  void test_singles(std::vector<std::optional<double>>& p_values) const {
    GramSpan base = new_span(tested_labels());
    for (const Added& added : tested_beside_) grow(base, added);
    const double columns = base.free_columns();
    const double free = weight() - static_cast<double>(base.rank());
    for (std::size_t g = 0; g < candidates_.size(); ++g) {
      const Candidate& own = candidates_[g];
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
  Catalogue catalogue_;
  std::vector<PlannedRound> rounds_;
  PlannedRound final_;
  std::vector<std::size_t> others_;
  std::vector<Candidate> candidates_;
  std::vector<Added> tested_beside_;
  std::optional<FunctionSums> sums_;
  std::vector<double> log_f_;       // of every step taken
  std::vector<std::size_t> owner_;  // the feature of every column
};

}  // namespace

bool AllRows::judge(const Searched& searched, ForwardResult& found, Progress& progress) const {
  SeenColumns columns(design_, *searched.sample.source, searched.curves, searched.ranked);
  return Judgement(source_, label_, std::move(columns), searched, found, progress).run();
}

namespace {

// The constant and the functions of a group as a path of one step.
SpanPath path_of(const FunctionSums& sums, std::size_t group, const Functions& functions,
                 const WholeLabel& label) {
  const std::size_t count = functions.size() + 1;
  const std::size_t labels = label.columns();
  std::vector<double> gram(count * count);
  std::vector<double> on_label(count * labels);
  gram[0] = sums.of_span(0, 0);
  for (std::size_t y = 0; y < labels; ++y) on_label[y] = sums.of_span(1 + y, 0);
  for (std::size_t a = 1; a < count; ++a) {
    const double* with_span = sums.with_span(group, a - 1);
    gram[a] = with_span[0];
    std::copy_n(with_span + 1, labels, on_label.data() + a * labels);
    for (std::size_t b = 1; b <= a; ++b) {
      gram[a + b * count] = sums.in_group(group, a - 1, b - 1);
    }
  }
  const std::vector<std::size_t> kept = factor_gram(
      count, gram.data(), count, trivial_product * label.weight(), labels, on_label.data());
  SpanPath path;
  path.ranks = {kept.size()};
  path.factor.resize(kept.size() * kept.size());
  for (std::size_t k = 0; k < kept.size(); ++k) {
    path.functions.push_back(kept[k] == 0 ? Function{} : functions[kept[k] - 1]);
    const double* own = on_label.data() + kept[k] * labels;
    path.on_label.insert(path.on_label.end(), own, own + labels);
    for (std::size_t i = k; i < kept.size(); ++i) {
      path.factor[i + k * kept.size()] = gram[kept[i] + kept[k] * count];
    }
  }
  return path;
}

double l2_of(const FunctionSums& sums, std::size_t group, const WholeLabel& label) {
  double sum = 0;
  for (std::size_t k = 0; k < sums.group_size(group); ++k) {
    for (std::size_t y = 0; y < label.columns(); ++y) {
      sum += std::pow(sums.with_span(group, k)[1 + y] / label.weight(), 2);
    }
  }
  return sum;
}

}  // namespace

std::vector<double> AllRows::scores(const SupervisedData& sample,
                                    const std::vector<std::vector<std::size_t>>& subsets,
                                    Score score, Progress& progress) const {
  const SeenColumns columns(design_, *sample.source, false, false);
  std::vector<Functions> groups;
  for (const auto& subset : subsets) {
    StepFunctions functions(columns, 1);
    groups.push_back(functions.take({StepKind::subset, subset}, subset));
  }
  const auto plan = std::make_shared<FunctionPlan>(columns, label_, Functions{{}}, groups);
  const FunctionSums sums = fold(source_, FunctionSums(plan), summing, progress);
  std::vector<double> result;
  std::vector<SpanPath> paths;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (score == Score::l2) {
      result.push_back(l2_of(sums, g, label_));
    } else {
      paths.push_back(path_of(sums, g, groups[g], label_));
    }
  }
  if (score == Score::l2) return result;
  const auto score_plan = std::make_shared<ScorePlan>(
      ScorePlan{label_, measure_of(sample.label), std::move(paths), FunctionRows(columns, groups)});
  const StepScores scores = fold(source_, StepScores(score_plan), scoring, progress);
  for (std::size_t p = 0; p < groups.size(); ++p) result.push_back(scores.score(p, 0));
  return result;
}

}  // namespace fsieve::methods
