// UFFS / FOURIER-ORTH (001 section IV, Algorithm 1; 000 section 4.1, Procedure 1), with the groups
// and the honest rule of docs/uffs.md.
#include "fsieve/uffs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "data/design_budget.h"
#include "equation/equations.h"
#include "equation/pruning.h"
#include "fsieve/error.h"
#include "methods/uffs/confirm.h"
#include "methods/uffs/group_walk.h"
#include "methods/uffs/in_name_order.h"
#include "methods/uffs/outcome.h"
#include "methods/uffs/problem.h"
#include "methods/uffs/stage_rows.h"
#include "methods/uffs/stages.h"
#include "methods/uffs/warnings.h"
#include "relations/discovery.h"
#include "source/checked_source.h"
#include "span/ledger.h"

namespace fsieve {
namespace {

// Features of which up to `margin` more than epsilon is left on a sample go at first, and those of
// which up to `doubt` more is left are explained too: all rows decide on both. Where what is left
// has long tails, a sample may be that far off.
constexpr double margin = 0.1;
constexpr double doubt = 2;
// The latter only where their equations on the sample are not longer than so many times what a
// person reads: more rows leave no less of a feature, and make no equation that much shorter.
constexpr std::size_t doubt_length = 8;
// How often a stage is walked again where all rows say otherwise.
constexpr int most_repeats = 2;

class Uffs {
 public:
  Uffs(const Source& source, const UffsOptions& options, const RunContext& context)
      : problem_(source, options, context),
        relations_first_(relations_first(source, options)),
        outcomes_(problem_.design.features.size()),
        confirmer_(problem_) {}

  UffsResult run() {
    const Schema& schema = problem_.source.schema();
    if (problem_.options.equations) check_names(problem_.design, schema);
    Features order = running_order(problem_);
    // No more functions than rows are in a basis.
    check_products_budget(schema, problem_.design.dimensions, problem_.context.memory);
    const std::vector<PlannedStage> plan = plan_stages(problem_, order, result_.warnings);
    StageRows rows(problem_, plan, order);
    if (relations_first_ && !plan.empty()) {
      found_ =
          relations::discover(problem_.source, problem_.design, settings(plan), problem_.progress);
      order = found_.order;
    }
    for (const PlannedStage& stage : plan) {
      rows.prepare(stage, order);
      order = run_stage(stage, order, rows);
    }
    count_in_relations(plan);
    report(order);
    if (relations_first_) result_.relations = all_relations();
    return std::move(result_);
  }

 private:
  [[nodiscard]] const Design& design() const { return problem_.design; }

  // Those found, and those of the equations of removed features, simplest first.
  [[nodiscard]] std::vector<Equation> all_relations() const {
    std::vector<Equation> list;
    std::set<std::set<std::string>> known;
    const auto add = [&](Equation equation) {
      std::set<std::string> members{equation.target};
      for (const Term& term : equation.terms) {
        members.insert(term.factors.begin(), term.factors.end());
      }
      if (members.size() > 1 && known.insert(members).second) list.push_back(std::move(equation));
    };
    for (const auto& relation : found_.relations) add(relations::written(relation, design()));
    for (const RemovedFeature& removed : result_.removed) {
      for (const Equation& equation : removed.equations) add(equation);
    }
    std::stable_sort(list.begin(), list.end(), [](const Equation& a, const Equation& b) {
      return a.terms.size() < b.terms.size();
    });
    return list;
  }

  // Relations are looked for as deep as the stages go.
  [[nodiscard]] relations::Settings settings(const std::vector<PlannedStage>& plan) const {
    relations::Settings settings{plan.front().epsilon, 0, problem_.stays};
    for (const PlannedStage& planned : plan) {
      settings.epsilon = std::min(settings.epsilon, planned.epsilon);
      if (!problem_.options.stages.empty()) {
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

  // The features that are left.
  Features run_stage(const PlannedStage& planned, const Features& order, StageRows& rows) {
    StageReport report{planned.stage, planned.epsilon, Engine::gram, order.size(), 0, 0, 0};
    if (order.empty()) {
      result_.stages.push_back(report);
      return order;
    }
    report.engine = rows.choose_engine(planned, order);
    if (report.engine == Engine::gram) rows.ask_for_device(planned, order);
    if (rows.sampled()) report.sample = rows.source().rows();
    Ledger ledger = walked_ledger(planned, order, rows, report);
    Features kept;
    const int number = static_cast<int>(result_.stages.size()) + 1;
    for (const std::size_t j : order) {
      Standing& standing = ledger[j];
      const bool removed = standing.verdict == Verdict::removed;
      Outcome& outcome = outcomes_[j];
      outcome.test = !rows.sampled()        ? standing.best
                     : outcome.fits.empty() ? on_all_rows(standing.best)
                                            : left_by_fits(outcome.fits);
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
  Ledger walked_ledger(const PlannedStage& planned, const Features& order, StageRows& rows,
                       StageReport& report) {
    const bool sampled = rows.sampled();
    Foreknowledge known{problem_.stays};
    const std::size_t unreadable =
        doubt_length * std::min(problem_.options.max_terms, SIZE_MAX / doubt_length);
    if (sampled) {
      known = {problem_.stays, std::vector<bool>(known.stays.size()), margin, doubt, unreadable};
    } else if (problem_.options.rule == Rule::adjusted) {
      known.patience = unreadable;
      known.exact = 2 * exact_share;
      known.hope = [this, epsilon = planned.epsilon](std::size_t column,
                                                     const std::vector<Parity>& chosen,
                                                     const GramOf& gram_of) {
        return nearly_readable(column, chosen, gram_of, epsilon);
      };
    }
    const Features seen = rows.seen(order);
    for (int repeats = 0;; ++repeats) {
      Ledger ledger(judge(planned.epsilon, rows.design()), known);
      walk_groups(problem_, planned, seen, rows, ledger, report);
      for (const std::size_t j : order) outcomes_[j] = {};
      if (problem_.options.rule != Rule::adjusted) return ledger;
      const bool otherwise =
          confirmer_.confirm(planned.epsilon, seen, sampled, ledger, known, outcomes_);
      if (!sampled || !otherwise || repeats == most_repeats) return ledger;
    }
  }

  // Can the chosen products be pruned to an equation that a person reads, were it allowed to leave
  // half more than it may? Those of more products are mostly longer (docs/decisions.md).
  [[nodiscard]] bool nearly_readable(std::size_t column, const std::vector<Parity>& chosen,
                                     const GramOf& gram_of, double epsilon) const {
    const std::size_t most_terms = problem_.options.max_terms;
    const FitTask task{column, closure(products_of(chosen)), most_terms, 1.5 * epsilon * epsilon};
    return fit_and_prune(design(), task, gram_of(task.products)).length() <= most_terms;
  }

  // What a test on the sample says of all rows.
  [[nodiscard]] Test on_all_rows(Test test) const {
    if (!test.tells()) return test;
    const double rank = std::min(static_cast<double>(test.rank), design().weight);
    test.norm = std::min(test.value * std::sqrt(1 - rank / design().weight), 1.0);
    test.estimated = true;
    return test;
  }

  [[nodiscard]] Judge judge(double epsilon, const Design& rows) const {
    return {problem_.options.rule, epsilon, rows.weight, rows.dimensions};
  }

  void report(const Features& survivors) {
    std::vector<bool> kept(design().features.size());
    for (const std::size_t j : survivors) kept[j] = true;
    for (std::size_t j = 0; j < kept.size(); ++j) {
      if (kept[j]) {
        report_kept(j);
      } else {
        report_removed(j);
      }
    }
    warn_of_tests(result_, problem_.options, design());
    result_.warnings.insert(result_.warnings.end(), found_.warnings.begin(), found_.warnings.end());
    if (problem_.options.equations) {
      add_equations(kept);
      double asked_r2 = 1;
      for (const StageReport& stage : result_.stages) {
        asked_r2 = std::min(asked_r2, 1 - stage.epsilon * stage.epsilon);
      }
      warn_of_weak_equations(result_, asked_r2);
    }
  }

  [[nodiscard]] bool tested(std::size_t j) const { return std::isfinite(outcomes_[j].test.norm); }
  [[nodiscard]] double norm(std::size_t j) const { return tested(j) ? outcomes_[j].test.norm : 1; }
  [[nodiscard]] std::optional<double> adjusted_norm(std::size_t j) const {
    const std::size_t rank = outcomes_[j].test.rank;
    if (!tested(j) || outcomes_[j].undecided || static_cast<double>(rank) >= design().weight) {
      return std::nullopt;
    }
    return judge(0, design()).adjusted(norm(j), rank);
  }

  void report_kept(std::size_t j) {
    SelectedFeature kept{j, norm(j), adjusted_norm(j), outcomes_[j].undecided || !tested(j)};
    kept.estimated = tested(j) && outcomes_[j].test.estimated;
    // By the test it would go; rows that were not used say otherwise.
    kept.unconfirmed = problem_.options.rule == Rule::adjusted && !problem_.stays[j] &&
                       !kept.undecided && !result_.stages.empty() &&
                       kept.adjusted_norm.value_or(1) <= result_.stages.back().epsilon;
    result_.selected.push_back(std::move(kept));
  }

  void report_removed(std::size_t j) {
    // Equal rows make the space smaller than n, and no feature goes for want of rows.
    const double most = std::max(design().weight, static_cast<double>(design().dimensions));
    const auto rank = static_cast<double>(outcomes_[j].test.rank);
    RemovedFeature removed{j, norm(j), adjusted_norm(j), outcomes_[j].stage, Reason::redundant, {}};
    if (design().features[j].constant) {
      removed.norm = 0;
      removed.adjusted_norm = 0;
      removed.reason = Reason::constant;
    } else if (problem_.options.rule == Rule::paper && rank >= most) {
      removed.reason = Reason::saturated;
    }
    result_.removed.push_back(std::move(removed));
  }

  void add_equations(const std::vector<bool>& kept) {
    int depth = 1;
    for (const StageReport& stage : result_.stages) depth = std::max(depth, stage.stage.depth);
    std::map<std::size_t, Equation> by_relation;
    for (const relations::Removal& removal : found_.removed) {
      by_relation[removal.feature] = relations::written(removal.relation, design());
    }
    std::vector<Explanation> explanations;
    for (const RemovedFeature& removed : result_.removed) {
      if (removed.reason == Reason::constant || by_relation.contains(removed.feature)) continue;
      const Outcome& outcome = outcomes_[removed.feature];
      explanations.push_back({removed.feature, removed.stage, outcome.supports, outcome.fits});
    }
    auto equations =
        fit_equations(*problem_.products, kept, depth, explanations, confirmer_.judge(),
                      problem_.progress, problem_.options.max_terms);
    std::size_t next = 0;
    for (RemovedFeature& removed : result_.removed) {
      if (const auto known = by_relation.find(removed.feature); known != by_relation.end()) {
        removed.equations = {known->second};
        continue;
      }
      removed.equations =
          removed.reason == Reason::constant
              ? constant_equations(problem_.source.schema().features[removed.feature],
                                   design().features[removed.feature])
              : std::move(equations[next++]);
    }
  }

  Problem problem_;
  bool relations_first_;
  std::vector<Outcome> outcomes_;
  Confirmer confirmer_;
  relations::Discovery found_;  // relations first only
  UffsResult result_;
};

}  // namespace

UffsResult uffs(const Source& source, const UffsOptions& options, const RunContext& context) {
  const CheckedInput checked(source);
  const auto run = [&](const Source& table) { return Uffs(table, options, context).run(); };
  if (relations_first(source, options)) {
    return in_name_order(*checked, context, run);
  }
  UffsResult result = within(context, [&] { return run(*checked); });
  name_features(result, source.schema());
  return result;
}

}  // namespace fsieve
