// UFFS / FOURIER-ORTH (001 section IV, Algorithm 1; 000 section 4.1, Procedure 1), with the groups
// and the honest rule of docs/uffs.md.
#include "fsieve/uffs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>

#include "data/design.h"
#include "data/design_budget.h"
#include "data/sample_size.h"
#include "data/telling_sample.h"
#include "equation/confirmation.h"
#include "equation/equations.h"
#include "equation/fit_judge.h"
#include "fsieve/error.h"
#include "fsieve/relations.h"
#include "methods/uffs/protected_features.h"
#include "methods/uffs/stages.h"
#include "relations/discovery.h"
#include "source/checked_source.h"
#include "source/parted_source.h"
#include "source/sorted_source.h"
#include "span/group_basis.h"
#include "span/ledger.h"
#include "span/parity_sums.h"
#include "span/standardised_columns.h"

namespace fsieve {
namespace {

using Features = std::vector<std::size_t>;

// Below this threshold the squares of the Gram engine have too few digits.
constexpr double gram_epsilon = 1e-6;
// Parities per row from which the sample engine, whose rank is bounded by the rows, is faster
// (docs/decisions.md has the measurement).
constexpr double sample_ratio = 2.5;
// Below this many multiply-adds the sample engine, which keeps all digits, takes no time either
// way.
constexpr double sample_work = 1e9;
// A sample tells the norm of what is left of a feature up to this share, for all of them together
// at this level. Features of which up to `margin` more than epsilon is left there go at first, and
// those of which up to `doubt` more is left are explained too: all rows decide on both. Where what
// is left has long tails, a sample may be that far off.
constexpr double precision = 0.05;
constexpr double level = 0.01;
constexpr double margin = 0.1;
constexpr double doubt = 2;
// How often a stage is walked again where all rows say otherwise.
constexpr int most_repeats = 2;
// Bytes of a sample; whatever --memory says, which must not change an answer.
constexpr std::size_t largest_sample = std::size_t{256} << 20U;
// A table of this many bytes may always be loaded: the choice of the engine must not depend on
// where the rows come from.
constexpr std::size_t small_table = std::size_t{16} << 20U;

// To about twelve digits: variances that are equal but for rounding keep the input order.
double rounded(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return std::ldexp(std::round(std::ldexp(mantissa, 40)), exponent - 40);
}

class Uffs {
 public:
  Uffs(const Source& source, const UffsOptions& options, bool relations_first, Progress& progress)
      : source_(source),
        options_(options),
        relations_first_(relations_first),
        progress_(progress),
        design_(design_of(source, progress)),
        groups_(
            options.groups.value_or(options.rule == Rule::adjusted ? Groups::any : Groups::own)),
        outcomes_(design_.features.size()),
        protected_(protected_features(source.schema(), options.protect)),
        fit_judge_(source, design_, progress) {}

  UffsResult run() {
    if (options_.equations) check_names(design_, source_.schema());
    Features order = running_order();
    // No more functions than rows are in a basis.
    check_products_budget(source_.schema(), design_.dimensions, options_.memory);
    auto plan = plan_stages(options_, design_.weight, columns_per_feature(order));
    leave_out_deeper_stages(plan);
    cut_endless_groups(plan, order);
    const std::size_t size = rows_to_prepare_on(plan, order);
    if (relations_first_ && !plan.empty()) {
      found_ = relations::discover(source_, design_, settings(plan), progress_);
      order = found_.order;
    }
    if (plan.empty()) {
      result_.warnings.push_back(fmt::format(
          "{:g} rows are too few to test anything (a group of two needs 12): all features are kept",
          design_.weight));
    }
    for (const PlannedStage& stage : plan) {
      prepare_rows(stage, order, size);
      order = run_stage(stage, order);
    }
    count_in_relations(plan);
    report(order);
    return std::move(result_);
  }

  // Those of the equations of a result too, simplest first.
  [[nodiscard]] std::vector<Equation> relations_with(const UffsResult& result) const {
    std::vector<Equation> list;
    std::set<std::set<std::string>> known;
    const auto add = [&](Equation equation) {
      std::set<std::string> members{equation.target};
      for (const Term& term : equation.terms) {
        members.insert(term.factors.begin(), term.factors.end());
      }
      if (members.size() > 1 && known.insert(members).second) list.push_back(std::move(equation));
    };
    for (const auto& relation : found_.relations) add(relations::written(relation, design_));
    for (const RemovedFeature& removed : result.removed) {
      for (const Equation& equation : removed.equations) add(equation);
    }
    std::stable_sort(list.begin(), list.end(), [](const Equation& a, const Equation& b) {
      return a.terms.size() < b.terms.size();
    });
    return list;
  }

 private:
  // What is known of a feature after its last stage.
  struct Outcome {
    Test test;
    bool undecided = false;
    int stage = 0;  // that removed it
    std::vector<std::vector<Parity>> supports;
    std::vector<Fit> fits;  // by these supports, where they were judged
  };

  static Design design_of(const Source& source, Progress& progress) {
    const SummedSource* const sums = as_sums(source);
    if (sums == nullptr) return make_design(source, progress);
    return make_design(source.schema(), source.rows(), sums->sums().moments());
  }

  // Relations are looked for as deep as the stages go.
  [[nodiscard]] relations::Settings settings(const std::vector<PlannedStage>& plan) const {
    relations::Settings settings{plan.front().epsilon, 0, protected_};
    for (const PlannedStage& planned : plan) {
      settings.epsilon = std::min(settings.epsilon, planned.epsilon);
      if (!options_.stages.empty()) {
        settings.depth = std::max(settings.depth, planned.stage.depth);
      }
    }
    return settings;
  }

  // A feature that a relation removes counts as gone at the first stage of its depth.
  void count_in_relations(const std::vector<PlannedStage>& plan) {
    for (const relations::Removal& removal : found_.removed) {
      std::size_t depth = 1;
      for (const relations::Product& product : removal.relation.products) {
        depth = std::max(depth, product.size());
      }
      std::size_t stage = 0;
      while (stage + 1 < plan.size() && static_cast<std::size_t>(plan[stage].stage.depth) < depth) {
        ++stage;
      }
      for (std::size_t s = 0; s <= stage; ++s) {
        ++result_.stages[s].features;
        if (s < stage) ++result_.stages[s].kept;
      }
      Outcome& outcome = outcomes_[removal.feature];
      outcome.test = {removal.norm, removal.relation.products.size() + 1};
      outcome.stage = static_cast<int>(stage) + 1;
    }
  }

  // Sums of products of rows that are gone say nothing of deeper products. Automatic stages do
  // without these.
  void leave_out_deeper_stages(std::vector<PlannedStage>& plan) const {
    const SummedSource* const sums = as_sums(source_);
    if (sums == nullptr) return;
    const int most = sums->sums().depth();
    const auto deeper = [&](const PlannedStage& planned) { return planned.stage.depth > most; };
    if (!options_.stages.empty() && std::any_of(plan.begin(), plan.end(), deeper)) {
      throw Error(fmt::format("--stages: the sums were formed for products of up to {}", most),
                  Error::Kind::usage);
    }
    plan.erase(std::remove_if(plan.begin(), plan.end(), deeper), plan.end());
  }

  // Products of a stage, in one group.
  [[nodiscard]] double products_of_group(const PlannedStage& planned, const Features& order) const {
    return parity_count(group_limit(planned, order), planned.stage.depth,
                        columns_per_feature(order));
  }

  // Would forming all inner products of a stage take longer than reading the rows?
  [[nodiscard]] bool long_work(const PlannedStage& planned, const Features& order) const {
    constexpr double work_of_reading = 2048;  // multiply-adds per value
    const double products = products_of_group(planned, order);
    return products * products > work_of_reading * static_cast<double>(design_.columns.size());
  }

  // The rules of the papers do not take into account how many rows there are, and cannot be told
  // from fewer.
  [[nodiscard]] bool may_be_sampled(const PlannedStage& planned, const Features& order) const {
    if (options_.rule != Rule::adjusted || groups_ != Groups::any) return false;
    if (as_sums(source_) != nullptr || order.empty()) return false;
    return options_.sample != automatic_sample || long_work(planned, order);
  }

  // How many rows the walk of all stages is prepared on; all of them where none is to be sampled,
  // or the sample would be too large.
  [[nodiscard]] std::size_t rows_to_prepare_on(const std::vector<PlannedStage>& plan,
                                               const Features& order) const {
    double products = 0;
    for (const PlannedStage& planned : plan) {
      if (!may_be_sampled(planned, order)) continue;
      products = std::max(products, products_of_group(planned, order));
    }
    if (products == 0) return design_.dimensions;
    // At least as many rows are left to judge on as products are fitted to.
    const auto columns = static_cast<double>(design_.columns.size());
    const std::size_t tell = std::max(rows_that_tell(precision, level, columns, products),
                                      static_cast<std::size_t>(2 * products));
    std::size_t asked = options_.sample;
    if (asked != automatic_sample) asked = std::max(asked, static_cast<std::size_t>(2 * products));
    const std::size_t size = sample_size(asked, design_.dimensions, tell);
    const std::size_t fit = largest_sample / sizeof(double) / source_.schema().columns();
    return size <= fit ? size : design_.dimensions;
  }

  // One group of all features may have more products than anyone waits for.
  void cut_endless_groups(std::vector<PlannedStage>& plan, const Features& order) {
    constexpr double long_work = 1e11;  // multiply-adds
    const double width = columns_per_feature(order);
    for (PlannedStage& planned : plan) {
      if (planned.stage.depth == 1 || planned.stage.group_size != 0) continue;
      const int depth = planned.stage.depth;
      const double products = parity_count(order.size(), depth, width);
      if (design_.weight * products * std::min(products, design_.weight) < long_work) continue;
      const std::size_t size = automatic_group(design_.weight, width, depth);
      if (groups_ == Groups::any && size >= 2) {
        planned.stage.group_size = size;
        result_.warnings.push_back(fmt::format(
            "--stages {0}: one group of {1} features has {2:.3g} products, so groups of {3} are "
            "used, as by {0}:{3} (write {0}:{1} for one group)",
            depth, order.size(), products, size));
      } else {
        result_.warnings.push_back(
            fmt::format("--stages {0}: one group of {1} features has {2:.3g} products, which takes "
                        "long; a group "
                        "size, as in {0}:30, makes it short",
                        depth, order.size(), products));
      }
    }
  }

  // Constants are removed before anything is ordered or cut.
  [[nodiscard]] Features running_order() const {
    Features order;
    for (std::size_t j = 0; j < design_.features.size(); ++j) {
      if (!design_.features[j].constant) order.push_back(j);
    }
    if (options_.order == Order::variance) {
      const auto variance = [&](std::size_t j) { return rounded(design_.features[j].variance); };
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return variance(a) > variance(b); });
    } else if (options_.order == Order::random) {
      // Fisher and Yates by hand: std::shuffle differs between libraries.
      std::mt19937_64 random(options_.seed);
      for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    }
    return order;
  }

  Features run_stage(const PlannedStage& planned, const Features& order) {
    StageReport report{planned.stage, planned.epsilon, Engine::gram, order.size(), 0, 0, 0};
    if (order.empty()) {
      result_.stages.push_back(report);
      return order;
    }
    report.engine = choose_engine(planned, order);
    if (on_sample_) report.sample = sample_->rows();
    Ledger ledger = walked_ledger(planned, order, report);
    Features kept;
    const int number = static_cast<int>(result_.stages.size()) + 1;
    for (const std::size_t j : order) {
      Standing& standing = ledger[j];
      const bool removed = standing.verdict == Verdict::removed;
      Outcome& outcome = outcomes_[j];
      outcome.test = !on_sample_            ? standing.best
                     : outcome.fits.empty() ? on_all_rows(standing.best)
                                            : by_fits(outcome.fits);
      outcome.undecided = standing.verdict == Verdict::undecided;
      outcome.stage = removed ? number : 0;
      outcome.supports = std::move(standing.supports);
      if (!removed) kept.push_back(j);
    }
    report.kept = kept.size();
    result_.stages.push_back(report);
    return kept;
  }

  // Decides on the features of a stage. Where it is walked on a sample and all rows say otherwise
  // of a feature, the walk is repeated: what stays explains others, what goes does not.
  Ledger walked_ledger(const PlannedStage& planned, const Features& order, StageReport& report) {
    Foreknowledge known{protected_};
    if (on_sample_) known = {protected_, std::vector<bool>(protected_.size()), margin, doubt};
    const Features seen = seen_on_rows(order);
    for (int repeats = 0;; ++repeats) {
      report.groups = report.parities = 0;
      Ledger ledger(walk_judge(planned.epsilon), known);
      if (groups_ == Groups::any) {
        test_in_any_group(planned, seen, ledger, report);
      } else {
        test_in_own_groups(planned, seen, ledger, report);
      }
      for (const std::size_t j : order) outcomes_[j] = {};
      if (options_.rule != Rule::adjusted || as_sums(source_) != nullptr) return ledger;
      const bool otherwise = decide_on_all_rows(planned.epsilon, seen, ledger, known);
      if (!on_sample_ || !otherwise || repeats == most_repeats) return ledger;
    }
  }

  // Features of which the rows at hand show something: what is constant in a sample cannot be
  // judged there and stays.
  [[nodiscard]] Features seen_on_rows(const Features& order) const {
    Features seen;
    std::copy_if(order.begin(), order.end(), std::back_inserter(seen), [&](std::size_t j) {
      const std::vector<DesignColumn>& columns = walked().columns;
      return std::all_of(columns.begin() + static_cast<std::ptrdiff_t>(design_.features[j].first),
                         columns.begin() + static_cast<std::ptrdiff_t>(design_.features[j].last),
                         [](const DesignColumn& column) { return column.deviation > 0; });
    });
    return seen;
  }

  // What a test on the sample says of all rows.
  [[nodiscard]] Test on_all_rows(Test test) const {
    if (!test.tells()) return test;
    const double rank = std::min(static_cast<double>(test.rank), design_.weight);
    test.norm = std::min(test.value * std::sqrt(1 - rank / design_.weight), 1.0);
    return test;
  }

  // What equations leave of a feature's columns on all rows.
  [[nodiscard]] static Test by_fits(const std::vector<Fit>& fits) {
    Test test{0, 1};
    for (const Fit& fit : fits) {
      test.norm = std::max(test.norm, std::sqrt(std::max(1 - fit.r2_fit, 0.0)));
      test.rank = std::max(test.rank, fit.length() + 1);
    }
    return test;
  }

  // What rows that were not used do not confirm stays: a fit that a few rows carry, or one of many
  // terms, explains these rows only. Of a walk on a sample, notes what is now known, and returns
  // whether that is otherwise.
  bool decide_on_all_rows(double epsilon, const Features& order, Ledger& ledger,
                          Foreknowledge& known) {
    std::vector<FitTask> tasks;
    std::vector<std::size_t> targets;
    Features explained;
    for (const std::size_t j : order) {
      if (ledger[j].verdict != Verdict::removed && !ledger.doubtful(j, ledger[j].best)) continue;
      explained.push_back(j);
      for (std::size_t c = design_.features[j].first; c < design_.features[j].last; ++c) {
        const std::size_t place = c - design_.features[j].first;
        const auto& supports = ledger[j].supports;
        const std::vector<Monomial> products =
            place < supports.size() ? products_of(supports[place]) : std::vector<Monomial>{};
        tasks.push_back({c, closure(products), options_.max_terms, epsilon * epsilon});
        targets.push_back(c);
      }
    }
    std::vector<Fit> fits = fit_all(source_, design_, tasks, progress_);
    const std::vector<HeldOut> judged = judged_fits(explained, targets, fits);
    std::size_t next = 0;
    bool otherwise = false;
    for (const std::size_t j : explained) {
      const std::size_t columns = design_.features[j].last - design_.features[j].first;
      Confirmation all(epsilon, design_.weight, options_.max_terms);
      for (std::size_t k = next; k < next + columns; ++k) {
        const double deviation = design_.columns[targets[k]].deviation;
        all.add(judged[k], fits[k].length(), deviation * deviation,
                chosen_from(fits[k].length(), ledger[j].best.rank));
        outcomes_[j].fits.push_back(std::move(fits[k]));
      }
      next += columns;
      const bool went = ledger[j].verdict == Verdict::removed;
      ledger[j].verdict = all.holds() ? Verdict::removed : Verdict::kept;
      if (!on_sample_ || went == all.holds()) continue;
      // A feature that is explained, but not confirmed, is no news: nor does it explain others.
      if (went && by_fits(outcomes_[j].fits).norm <= epsilon) continue;
      (went ? known.stays : known.goes)[j] = true;
      otherwise = true;
    }
    return otherwise;
  }

  // How the fits of these features' columns do on rows that were not used. A feature that stays
  // since nobody could read its equation need not be judged: then all is left of it.
  std::vector<HeldOut> judged_fits(const Features& features,
                                   const std::vector<std::size_t>& targets,
                                   std::vector<Fit>& fits) {
    if (on_sample_) return fit_judge_.judge(targets, fits);  // what is left is reported, too
    const auto unreadable = [&](const Fit& fit) {
      return fit.length() > options_.max_terms && 1 - fit.r2_fit > 2 * exact_share;
    };
    std::vector<std::size_t> chosen;
    std::size_t next = 0;
    for (const std::size_t j : features) {
      const std::size_t end = next + design_.features[j].last - design_.features[j].first;
      const auto first = fits.begin() + static_cast<std::ptrdiff_t>(next);
      const auto last = fits.begin() + static_cast<std::ptrdiff_t>(end);
      const bool stays = std::any_of(first, last, unreadable);
      for (; next < end; ++next) {
        if (!stays) chosen.push_back(next);
      }
    }
    std::vector<std::size_t> some_targets;
    std::vector<Fit> some;
    for (const std::size_t k : chosen) {
      some_targets.push_back(targets[k]);
      some.push_back(std::move(fits[k]));
    }
    const std::vector<HeldOut> judged = fit_judge_.judge(some_targets, some);
    std::vector<HeldOut> all(fits.size());
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      all[chosen[k]] = judged[k];
      fits[chosen[k]] = std::move(some[k]);
    }
    return all;
  }

  // Logarithm of the number of equations of so many terms among which one was found: of any
  // feature, by any of the parities of any group.
  [[nodiscard]] double chosen_from(std::size_t terms, std::size_t parities) const {
    return 2 * std::log(static_cast<double>(design_.features.size())) +
           static_cast<double>(terms) *
               std::log(static_cast<double>(std::max<std::size_t>(parities, 2)));
  }

  [[nodiscard]] bool supports_wanted() const {
    return options_.equations || options_.rule == Rule::adjusted;
  }

  [[nodiscard]] Judge judge(double epsilon) const {
    return {options_.rule, epsilon, design_.weight, design_.dimensions};
  }

  // On the rows that the stage is walked on.
  [[nodiscard]] Judge walk_judge(double epsilon) const {
    return {options_.rule, epsilon, walked().weight, walked().dimensions};
  }

  // These rows: the sample, or all.
  [[nodiscard]] const Design& walked() const { return on_sample_ ? sample_design_ : design_; }

  void prepare_rows(const PlannedStage& planned, const Features& order, std::size_t size) {
    on_sample_ = size < design_.dimensions && may_be_sampled(planned, order);
    if (!on_sample_ || sample_) return;
    sample_ = telling_sample(source_, design_, size, options_.seed, progress_);
    sample_design_ = design_of_sample(design_, *sample_, progress_);
  }

  // Groups of kept features: the one that explains a feature best decides, whichever it is.
  void test_in_any_group(const PlannedStage& planned, const Features& order, Ledger& ledger,
                         StageReport& report) {
    GroupPlan plan{planned.stage.depth, group_limit(planned, order), true, supports_wanted()};
    constexpr double many = 4;  // groups: then every feature is tested several times
    if (groups_of(planned, order) >= many) {
      const Source& rows = on_sample_ ? *sample_ : source_;
      plan.columns =
          StandardisedColumns::of(rows, walked(), order, report.engine == Engine::sample);
    }
    for (std::size_t position = 0; position < order.size();) {
      const auto group = open_group(report.engine, plan);
      position = group->walk(order, position, ledger);
      group->test_rest(order, position, ledger);
      ledger.first_group_done();
      if (group->members() == 0) continue;  // all that was left is redundant
      ++report.groups;
      report.parities += group->rank();
    }
  }

  // The papers' way: the running order is cut into groups, and each feature is tested in its own.
  void test_in_own_groups(const PlannedStage& planned, const Features& order, Ledger& ledger,
                          StageReport& report) {
    const std::size_t limit = group_limit(planned, order);
    const GroupPlan plan{planned.stage.depth, order.size() + 1, options_.prune, false};
    report.groups = (order.size() + limit - 1) / limit;
    for (std::size_t g = 0; g < report.groups; ++g) {
      const auto cut = [&](std::size_t k) {
        return order.begin() + static_cast<std::ptrdiff_t>(order.size() * k / report.groups);
      };
      const Features own(cut(g), cut(g + 1));
      const auto group = open_group(report.engine, plan);
      group->walk(own, 0, ledger);
      if (options_.rule == Rule::cumulative) keep_leading_share(own, planned.share, ledger);
      if (supports_wanted()) {
        Features removed;
        std::copy_if(own.begin(), own.end(), std::back_inserter(removed),
                     [&](std::size_t j) { return ledger[j].verdict == Verdict::removed; });
        group->explain(removed, ledger);
      }
      report.parities += group->rank();
    }
  }

  // The first published code's rule: the leading squared norms while their share of the total is
  // below `share`.
  void keep_leading_share(const Features& own, double share, Ledger& ledger) const {
    const auto squared = [&](std::size_t j) { return std::pow(ledger[j].best.norm, 2); };
    // Norms that are equal but for rounding keep the running order.
    const auto rounded = [&](std::size_t j) { return std::round(squared(j) * 1e10); };
    Features sorted = own;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](std::size_t a, std::size_t b) { return rounded(a) > rounded(b); });
    double total = 0;
    for (const std::size_t j : sorted) total += squared(j);
    double running = 0;
    for (const std::size_t j : sorted) {
      running += squared(j);
      const bool stays = running / total < share || protected_[j];
      ledger[j].verdict = stays ? Verdict::kept : Verdict::removed;
    }
  }

  [[nodiscard]] static std::size_t group_limit(const PlannedStage& planned, const Features& order) {
    const std::size_t size = planned.stage.group_size;
    return size == 0 ? order.size() : std::min(size, order.size());
  }

  [[nodiscard]] static double groups_of(const PlannedStage& planned, const Features& order) {
    const std::size_t limit = group_limit(planned, order);
    const std::size_t groups = (order.size() + limit - 1) / limit;
    return static_cast<double>(groups);
  }

  [[nodiscard]] double columns_per_feature(const Features& order) const {
    std::size_t columns = 0;
    for (const std::size_t j : order) {
      columns += design_.features[j].last - design_.features[j].first;
    }
    return order.empty() ? 1 : static_cast<double>(columns) / static_cast<double>(order.size());
  }

  [[nodiscard]] Engine choose_engine(const PlannedStage& planned, const Features& order) const {
    if (as_sums(source_) != nullptr) {
      if (options_.engine != Engine::sample) return Engine::gram;
      throw Error("--engine sample needs the rows, of which only sums were kept",
                  Error::Kind::usage);
    }
    if (options_.engine != Engine::automatic) return options_.engine;
    if (!on_sample_ && parts_of(source_).source != nullptr) return Engine::gram;
    if (planned.epsilon < gram_epsilon) return Engine::sample;
    const double most = products_of_group(planned, order);
    const auto rows = static_cast<double>(walked().rows);
    const bool small =
        (on_sample_ || table_bytes() <= small_table) &&
        4 * rows * most * std::min(rows, most) * groups_of(planned, order) < sample_work;
    return small || most > sample_ratio * rows ? Engine::sample : Engine::gram;
  }

  [[nodiscard]] std::unique_ptr<GroupBasis> open_group(Engine engine, const GroupPlan& plan) {
    const Source& source = on_sample_ ? *sample_ : source_;
    if (engine == Engine::gram) return make_gram_basis(source, walked(), plan, progress_);
    return make_sample_basis(on_sample_ ? *sample_ : in_memory(), walked(), plan, progress_);
  }

  [[nodiscard]] std::size_t table_bytes() const {
    return source_.rows() * source_.schema().columns() * sizeof(double);
  }

  // The sample engine needs all rows at once.
  const Source& in_memory() {
    if (!source_.in_memory().empty()) return source_;
    if (!loaded_) {
      const std::size_t bytes = table_bytes();
      if (bytes > std::max(options_.memory, small_table)) {
        throw Error(
            fmt::format("the sample engine needs the whole table in memory, {0} MiB; allow it with "
                        "--memory {0}M",
                        (bytes >> 20U) + 1));
      }
      loaded_ = MemorySource::load(source_);
    }
    return *loaded_;
  }

  void report(const Features& survivors) {
    std::vector<bool> kept(design_.features.size());
    for (const std::size_t j : survivors) kept[j] = true;
    // Equal rows make the space smaller than n, and no feature goes for want of rows.
    const double most = std::max(design_.weight, static_cast<double>(design_.dimensions));
    for (std::size_t j = 0; j < kept.size(); ++j) {
      const Outcome& outcome = outcomes_[j];
      const bool tested = std::isfinite(outcome.test.norm);
      const double norm = tested ? outcome.test.norm : 1;
      const auto rank = static_cast<double>(outcome.test.rank);
      std::optional<double> adjusted;
      if (tested && !outcome.undecided && rank < design_.weight) {
        adjusted = judge(0).adjusted(norm, outcome.test.rank);
      }
      if (kept[j]) {
        result_.selected.push_back({j, norm, adjusted, outcome.undecided || !tested});
        continue;
      }
      RemovedFeature removed{j, norm, adjusted, outcome.stage, Reason::redundant, {}};
      if (design_.features[j].constant) {
        removed.norm = 0;
        removed.adjusted_norm = 0;
        removed.reason = Reason::constant;
      } else if (options_.rule == Rule::paper && rank >= most) {
        removed.reason = Reason::saturated;
      }
      result_.removed.push_back(std::move(removed));
    }
    warn();
    result_.warnings.insert(result_.warnings.end(), found_.warnings.begin(), found_.warnings.end());
    if (options_.equations) {
      add_equations(kept);
      warn_of_weak_equations();
    }
  }

  void warn() {
    const auto undecided =
        std::count_if(result_.selected.begin(), result_.selected.end(),
                      [](const SelectedFeature& feature) { return feature.undecided; });
    if (undecided > 0) {
      result_.warnings.push_back(fmt::format(
          "{} features are undecided and kept: too few degrees of freedom were left to test them",
          undecided));
    }
    warn_of_spectra();
    const auto digits = [](const StageReport& stage) {
      return stage.engine == Engine::gram && stage.epsilon < gram_epsilon;
    };
    if (std::any_of(result_.stages.begin(), result_.stages.end(), digits)) {
      result_.warnings.push_back(
          fmt::format("the gram engine cannot tell norms below {} from 0: use the sample engine",
                      gram_epsilon));
    }
    const auto saturated = std::count_if(
        result_.removed.begin(), result_.removed.end(),
        [](const RemovedFeature& feature) { return feature.reason == Reason::saturated; });
    if (saturated > 0) {
      result_.warnings.push_back(fmt::format(
          "{} features were removed only because the parities before them filled all {} dimensions "
          "of the data, whatever they hold",
          saturated, design_.dimensions));
    }
  }

  // Of many columns that nearly equal each other a few say nearly all. What a model needs may be in
  // the rest.
  void warn_of_spectra() {
    constexpr std::size_t many = 20;
    if (options_.rule != Rule::adjusted || design_.features.size() < many) return;
    const auto inexact = static_cast<std::size_t>(std::count_if(
        result_.removed.begin(), result_.removed.end(), [](const RemovedFeature& removed) {
          return removed.reason == Reason::redundant && removed.norm * removed.norm > exact_share;
        }));
    if (2 * inexact < design_.features.size()) return;
    const double epsilon = *std::max_element(options_.epsilon.begin(), options_.epsilon.end());
    result_.warnings.push_back(fmt::format(
        "{} of {} features nearly equal combinations of others and go, each with up to {:.2g} % of "
        "its "
        "variance; where small differences between columns matter, use a smaller --epsilon",
        inexact, design_.features.size(), 100 * epsilon * epsilon));
  }

  // In own groups a feature may go for the sake of features that go themselves.
  void warn_of_weak_equations() {
    // What was asked for is no surprise, but for the digits that other rows cost.
    constexpr double slack = 0.01;
    double weak = 0.9;
    for (const StageReport& stage : result_.stages) {
      weak = std::min(weak, 1 - stage.epsilon * stage.epsilon - slack);
    }
    const auto weak_ones = std::count_if(
        result_.removed.begin(), result_.removed.end(), [&](const RemovedFeature& removed) {
          return std::any_of(removed.equations.begin(), removed.equations.end(),
                             [&](const Equation& equation) { return equation.r2 < weak; });
        });
    if (weak_ones > 0) {
      result_.warnings.push_back(
          fmt::format("{} removed features cannot be computed from the kept ones (R² below {:.3g})",
                      weak_ones, weak));
    }
  }

  void add_equations(const std::vector<bool>& kept) {
    int depth = 1;
    for (const StageReport& stage : result_.stages) depth = std::max(depth, stage.stage.depth);
    std::map<std::size_t, Equation> by_relation;
    for (const relations::Removal& removal : found_.removed) {
      by_relation[removal.feature] = relations::written(removal.relation, design_);
    }
    std::vector<Explanation> explanations;
    for (const RemovedFeature& removed : result_.removed) {
      if (removed.reason == Reason::constant || by_relation.contains(removed.feature)) continue;
      const Outcome& outcome = outcomes_[removed.feature];
      explanations.push_back({removed.feature, removed.stage, outcome.supports, outcome.fits});
    }
    auto equations = fit_equations(source_, design_, kept, depth, explanations, fit_judge_,
                                   progress_, options_.max_terms);
    std::size_t next = 0;
    for (RemovedFeature& removed : result_.removed) {
      if (const auto known = by_relation.find(removed.feature); known != by_relation.end()) {
        removed.equations = {known->second};
        continue;
      }
      removed.equations = removed.reason == Reason::constant
                              ? constant_equations(source_.schema().features[removed.feature],
                                                   design_.features[removed.feature])
                              : std::move(equations[next++]);
    }
  }

  const Source& source_;
  const UffsOptions& options_;
  bool relations_first_;
  Progress& progress_;
  Design design_;
  Groups groups_;
  std::vector<Outcome> outcomes_;
  std::vector<bool> protected_;
  FitJudge fit_judge_;
  relations::Discovery found_;  // relations first only
  std::unique_ptr<MemorySource> loaded_;
  bool on_sample_ = false;  // the stage in work
  std::unique_ptr<MemorySource> sample_;
  Design sample_design_;
  UffsResult result_;
};

}  // namespace

UffsResult uffs(const Source& source, const UffsOptions& options, Progress& progress) {
  return Uffs(*CheckedInput(source), options, false, progress).run();
}

// In byte order of the names, and back: what is computed does not depend on where columns stand.
RelationsResult uffs_by_relations(const Source& source, const UffsOptions& options,
                                  Progress& progress) {
  if (options.rule != Rule::adjusted) throw Error("relations first need the adjusted rule");
  UffsOptions walk = options;
  walk.order = Order::input;
  if (as_sums(source) != nullptr) return {uffs(source, walk, progress), {}};
  const CheckedInput checked(source);
  const SortedSource sorted(*checked);
  Uffs method(sorted, walk, true, progress);
  RelationsResult result{method.run(), {}};
  result.relations = method.relations_with(result.reduced);
  put_back(result.reduced.selected, sorted);
  put_back(result.reduced.removed, sorted);
  return result;
}

}  // namespace fsieve
