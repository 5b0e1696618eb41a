#include "methods/uffs/group_walk.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>

#include "span/group_basis.h"
#include "span/standardised_columns.h"

namespace fsieve::inline methods {
namespace {

// Are the products that explain a feature wanted?
bool supports_wanted(const UffsOptions& options) {
  return options.equations || options.rule == Rule::adjusted;
}

// Fills a group on all rows from `position` on, which moves to its end, and tests what comes later.
// Where a trial has told what most features have to do with it, the others alone are tested.
std::unique_ptr<GroupBasis> walked_group(const GroupPlan& plan, const Features& order,
                                         std::size_t& position, StageRows& rows,
                                         const GroupScreen* screen, Ledger& ledger, Engine engine) {
  if (screen != nullptr && screen->narrowed()) {
    const GroupScreen::Narrowed& known = *screen->narrowed();
    const Ledger before = ledger;
    GroupPlan narrowed = plan;
    narrowed.tested = known.tested;
    auto group = rows.open_group(engine, narrowed);
    const std::size_t end = group->walk(order, position, ledger);
    if (end == known.group.end && group->members() == known.group.members) {
      position = end;
      group->test_rest(order, end, ledger);
      for (std::size_t k = end; k < order.size(); ++k) {
        const Test& test = known.tests[order[k]];
        if (!narrowed.tests(order[k]) && ledger.improves(order[k], test)) {
          ledger[order[k]].best = test;
        }
      }
      return group;
    }
    ledger = before;  // it is another group
  }
  auto group = rows.open_group(engine, plan);
  position = group->walk(order, position, ledger);
  group->test_rest(order, position, ledger);
  return group;
}

// Groups of kept features: the one that explains a feature best decides, whichever it is.
void test_in_any_group(const Problem& problem, const PlannedStage& planned, const Features& order,
                       StageRows& rows, Ledger& ledger, StageReport& report) {
  GroupPlan plan{planned.stage.depth, planned.group_limit(order.size()), true,
                 supports_wanted(problem.options)};
  // The order that is computed has wide categories first; their groups end early.
  if (relations_first(problem.source, problem.options)) {
    plan.column_limit = planned.column_limit(problem.design, order);
  }
  GroupScreen* const screen = report.engine == Engine::gram ? rows.screen(planned, order) : nullptr;
  constexpr std::size_t many = 4;  // groups: then every feature is tested several times
  if (planned.groups(order.size()) >= many) {
    plan.columns = StandardisedColumns::of(rows.source(), rows.design(), order,
                                           report.engine == Engine::sample || screen != nullptr);
  }
  const double width = planned.column_limit(rows.design(), order) /
                       static_cast<double>(planned.group_limit(order.size()));
  const auto staying = [&](std::size_t members, std::size_t rank) {
    return static_cast<double>(rank) / parity_count(members, plan.depth, width);
  };
  for (std::size_t position = 0; position < order.size();) {
    if (screen != nullptr) {
      const bool first = report.groups == 0;
      if (const auto decided = screen->decide(plan, order, position, first, ledger)) {
        report.sample = screen->sample();
        position = decided->end;
        ledger.first_group_done();
        report.groups += decided->members > 0 ? 1 : 0;
        report.parities += decided->members > 0 ? decided->rank : 0;
        plan.staying = staying(decided->members, decided->rank);
        continue;
      }
    }
    const auto group = walked_group(plan, order, position, rows, screen, ledger, report.engine);
    ledger.first_group_done();
    if (group->members() == 0) continue;  // all that was left is redundant
    ++report.groups;
    report.parities += group->rank();
    plan.staying = staying(group->members(), group->rank());
  }
}

// The first published code's rule: the leading squared norms while their share of the total is
// below `share`.
void keep_leading_share(const Problem& problem, const Features& own, double share, Ledger& ledger) {
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
    const bool stays = running / total < share || problem.stays[j];
    ledger[j].verdict = stays ? Verdict::kept : Verdict::removed;
  }
}

// The papers' way: the running order is cut into groups, and each feature is tested in its own.
void test_in_own_groups(const Problem& problem, const PlannedStage& planned, const Features& order,
                        StageRows& rows, Ledger& ledger, StageReport& report) {
  const UffsOptions& options = problem.options;
  const GroupPlan plan{planned.stage.depth, order.size() + 1, options.prune, false};
  report.groups = planned.groups(order.size());
  for (std::size_t g = 0; g < report.groups; ++g) {
    const auto cut = [&](std::size_t k) {
      return order.begin() + static_cast<std::ptrdiff_t>(order.size() * k / report.groups);
    };
    const Features own(cut(g), cut(g + 1));
    const auto group = rows.open_group(report.engine, plan);
    group->walk(own, 0, ledger);
    if (options.rule == Rule::cumulative) keep_leading_share(problem, own, planned.share, ledger);
    if (supports_wanted(options)) {
      Features removed;
      std::copy_if(own.begin(), own.end(), std::back_inserter(removed),
                   [&](std::size_t j) { return ledger[j].verdict == Verdict::removed; });
      group->explain(removed, ledger);
    }
    report.parities += group->rank();
  }
}

}  // namespace

void walk_groups(const Problem& problem, const PlannedStage& planned, const Features& order,
                 StageRows& rows, Ledger& ledger, StageReport& report) {
  report.groups = report.parities = 0;
  (problem.groups == Groups::any ? test_in_any_group : test_in_own_groups)(problem, planned, order,
                                                                           rows, ledger, report);
}

}  // namespace fsieve::methods
