#include "methods/uffs/screen.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "data/telling_sample.h"
#include "fsieve/sample.h"
#include "linalg/narrow.h"
#include "source/parted_source.h"
#include "span/moment_sums.h"
#include "span/product_sums.h"

namespace fsieve::inline methods {
namespace {

// Rows beyond the products of a group: this share of the products, and at least so many. What is
// left of a feature is told by as many degrees of freedom.
constexpr double share_beyond = 0.25;
constexpr double least_beyond = 256;
// Of a table less than this many times as long little would be saved by some of its rows.
constexpr double times_as_long = 2;
// Nor is anything below so many multiply-adds: a few tenths of a second.
constexpr double work_worth_it = 1e10;
// Bytes of a table in memory; whatever --memory says, which must not change an answer.
constexpr std::size_t most_bytes = std::size_t{256} << 20U;
// A parity of which less than this part of epsilon is left is trivial, on some rows and on all: one
// that is kept in full precision on all rows is kept here too.
constexpr double trivial_on_some = 0.8;
constexpr double trivial_on_all = 0.995;
// What is left of a feature is clearly more than epsilon where it is so many of its standard errors
// above: where a single row holds all of it, it never is, since a fifth of the rows are beyond the
// products;
constexpr double standard_errors = 5;
// and a group explains it clearly better than another from so many on.
constexpr double clear_errors = 3;
// In single precision so many times the bound of its rounding, which is six of its deviations, must
// be left of the square of each parity.
constexpr double least_pivot = 8;
// What varies within cells of all rows is clearly more than epsilon, whatever the rounding.
constexpr double clearly = 1.001;
// From this many times epsilon on long tails make no difference;
constexpr double far = 3;
// and rounding to single precision makes none from this norm on, whatever epsilon is.
constexpr double far_beyond_rounding = 0.3;

// What is left of a feature that need not be looked at more closely.
double far_left(bool narrow, double epsilon) {
  return narrow ? std::max(far * epsilon, far_beyond_rounding) : far * epsilon;
}

// Of a sample, for so many products that are no combinations of others.
double rows_for(double products) {
  return std::ceil(products + std::max(share_beyond * products, least_beyond));
}

// Of inner products in single precision, which are summed in slices of rows: as one of so many
// rows.
double rounding(const Design& design) {
  constexpr std::size_t most = std::max(MomentSums<float>::roundings, ProductSums::narrow_rows);
  return blas::rounding_of_inner_product(std::min(design.rows, most));
}

}  // namespace

std::unique_ptr<GroupScreen> GroupScreen::of(const Problem& problem, const PlannedStage& planned,
                                             const Features& order, const GroupScreen* before) {
  const Design& design = problem.design;
  if (problem.options.rule != Rule::adjusted || problem.groups != Groups::any) return nullptr;
  if (problem.options.sample != automatic_sample || problem.options.engine != Engine::automatic) {
    return nullptr;
  }
  const std::size_t bytes = design.rows * problem.source.schema().columns() * sizeof(double);
  if (planned.stage.depth == 1 || bytes > most_bytes) return nullptr;
  const double products = planned.products(design, order);
  const double work = products * (products / 2 + static_cast<double>(design.columns.size())) *
                      static_cast<double>(planned.groups(order.size()));
  const auto rows = static_cast<double>(design.dimensions);
  if (rows * work < work_worth_it) return nullptr;
  std::unique_ptr<GroupScreen> screen(new GroupScreen(problem));
  const double few = rows_for(products);
  if (rows >= times_as_long * few) screen->few_ = static_cast<std::size_t>(few);
  screen->all_.all = true;
  if (before != nullptr) {  // what failed at lower depth will fail here
    screen->some_.failed = before->some_.gave_up() ? 2 : 0;
    screen->all_.failed = before->all_.gave_up() ? 2 : 0;
  }
  return screen;
}

bool GroupScreen::prepare(Trial& trial) const {
  if (trial.gave_up()) return false;
  if (trial.source != nullptr) return true;
  const bool at_hand = !problem_.source.in_memory().empty();
  if (trial.all && at_hand && rows_are_here(problem_.source)) {
    trial.source = &problem_.source;
    trial.design = problem_.design;
    return true;
  }
  trial.own =
      telling_sample(problem_.source, problem_.design, trial.all ? problem_.design.rows : few_,
                     problem_.options.seed, problem_.progress);
  trial.source = trial.own.get();
  trial.design =
      trial.all ? problem_.design
                : varying_columns(design_of_sample(problem_.design, *trial.own, problem_.progress));
  // What does not vary on these rows cannot be judged by them.
  const bool all_vary = std::all_of(trial.design.features.begin(), trial.design.features.end(),
                                    [](const DesignFeature& feature) {
                                      return feature.constant || feature.first < feature.last;
                                    });
  if (!all_vary) trial.failed = trial.decided + 2;
  return all_vary;
}

std::optional<GroupScreen::Decided> GroupScreen::decide(const GroupPlan& plan,
                                                        const Features& order, std::size_t position,
                                                        bool first, Ledger& ledger) {
  narrowed_.reset();
  if (const auto group = next_of_categories(problem_.design, plan, order, position, ledger)) {
    const bool in_pairs = plan.depth == 2;
    if (const auto decided = decide_by_cells(*group, plan.depth, order, ledger)) {
      if (!in_pairs) spare_rows(decided->rank);
      return decided;
    }
    if (in_pairs) {
      if (const auto decided = decide_by_pairs(*group, order, first, ledger)) return decided;
    }
    if (narrowed_) return std::nullopt;
  }
  for (Trial* const trial : {&some_, &all_}) {
    if ((trial == &some_ && few_ == 0) || !prepare(*trial)) continue;
    const auto decided = decide_on(*trial, plan, order, position, first, ledger);
    const bool helps = decided || narrowed_;
    ++(helps ? trial->decided : trial->failed);
    if (!decided) continue;
    if (trial == &some_) spare_rows(decided->rank);
    return decided;
  }
  return std::nullopt;
}

std::optional<GroupScreen::Decided> GroupScreen::decide_by_cells(const NextGroup& group, int depth,
                                                                 const Features& order,
                                                                 Ledger& ledger) {
  if (!prepare(all_)) return std::nullopt;
  auto trial = try_cells(*all_.source, all_.design, group, depth, order, ledger);
  if (!trial) return std::nullopt;
  const double epsilon = clearly * ledger.judge().epsilon;
  return concluded(
      group, std::move(*trial), all_, order,
      [&](const Test& test) { return test.tells() ? test.norm > epsilon : test.rank == 1; },
      ledger);
}

std::optional<GroupScreen::Decided> GroupScreen::decide_by_pairs(const NextGroup& group,
                                                                 const Features& order, bool first,
                                                                 Ledger& ledger) {
  if (few_ == 0 || !prepare(some_)) return std::nullopt;
  const double epsilon = ledger.judge().epsilon;
  Ledger tried(judge_of(some_, ledger), {problem_.stays});
  if (!first) tried.first_group_done();
  auto trial = try_pairs(*some_.source, some_.design, group, order, tried);
  if (!trial) return std::nullopt;
  auto decided = concluded(
      group, std::move(*trial), some_, order,
      [&](const Test& test) {
        if (!test.tells()) return test.rank == 1;
        return test.value > far_left(true, epsilon) && above(some_, test, {}, 0, epsilon);
      },
      ledger);
  if (decided) ++some_.decided;
  return decided;
}

// `stays`: does a feature clearly stay by its test? The constant alone tests nothing.
std::optional<GroupScreen::Decided> GroupScreen::concluded(
    const NextGroup& group, GroupTrial tried, const Trial& trial, const Features& order,
    const std::function<bool(const Test&)>& stays, Ledger& ledger) {
  Features may;
  bool hopeless = false;  // will no other trial decide?
  for (std::size_t k = group.position; k < order.size(); ++k) {
    Test& test = tried.tests[k - group.position];
    test.estimated = true;
    if (problem_.stays[order[k]] || stays(test)) continue;
    if (k < group.end) return std::nullopt;
    may.push_back(order[k]);
    hopeless = hopeless || test.value <= ledger.judge().epsilon;
  }
  const double rows = trial.design.weight;
  const Decided decided{group.end, group.members.size(), tried.rank};
  if (!may.empty()) {
    if (!hopeless) return std::nullopt;
    std::vector<Test> tests(problem_.stays.size());
    for (std::size_t k = group.end; k < order.size(); ++k) {
      tests[order[k]] = on_all_rows(tried.tests[k - group.position], rows, ledger[order[k]].best);
    }
    narrowed_ = narrowed_to(may, decided, std::move(tests));
    return std::nullopt;
  }
  for (std::size_t k = group.position; k < order.size(); ++k) {
    note(rows, order[k], k < group.end, tried.tests[k - group.position], ledger);
  }
  return decided;
}

Judge GroupScreen::judge_of(const Trial& trial, const Ledger& ledger) {
  Judge judge = ledger.judge();
  judge.epsilon *= trial.all ? trivial_on_all : trivial_on_some;
  judge.rows = trial.design.weight;
  judge.dimensions = trial.design.dimensions;
  return judge;
}

// Most products of rare levels are trivial. Groups that come later are hardly larger than this one;
// where one is, all rows decide.
void GroupScreen::spare_rows(std::size_t rank) {
  constexpr double worth_drawing = 0.8;
  const double few = rows_for(static_cast<double>(rank));
  if (few > worth_drawing * static_cast<double>(few_)) return;
  few_ = static_cast<std::size_t>(few);
  some_.source = nullptr;
  some_.own.reset();
}

std::optional<GroupScreen::Decided> GroupScreen::decide_on(Trial& trial, const GroupPlan& plan,
                                                           const Features& order,
                                                           std::size_t position, bool first,
                                                           Ledger& ledger) {
  const double epsilon = ledger.judge().epsilon;
  // Those become members that no group before explains.
  Foreknowledge known{std::vector<bool>(problem_.stays.size(), true),
                      std::vector<bool>(problem_.stays.size())};
  for (std::size_t k = position; k < order.size(); ++k) {
    const std::size_t j = order[k];
    if (!ledger.goes(j, {})) continue;
    known.stays[j] = false;
    known.goes[j] = true;
  }
  const Judge judge = judge_of(trial, ledger);
  GroupPlan own = plan;
  own.explain = false;
  own.screens = true;
  if (!trial.all) own.columns = nullptr;
  const Features features(order.begin() + static_cast<std::ptrdiff_t>(position), order.end());
  for (const bool narrow : {true, false}) {
    if (narrow && trial.wide) continue;
    if (!narrow && trial.all) break;  // that is what would be done without a trial
    Ledger tried(judge, known);
    if (!first) tried.first_group_done();
    own.narrow = narrow;
    const Products products(*trial.source, trial.design);
    const auto group = make_screen_basis(products, own, problem_.progress);
    const std::size_t end = group->walk(order, position, tried);
    group->test_rest(order, end, tried);
    for (const std::size_t j : features) tried[j].best.estimated = !trial.all;
    const auto may = may_explain(trial, narrow, *group, tried, features, epsilon);
    if (!may) return std::nullopt;
    if (narrow && group->least_left() < least_pivot * rounding(trial.design)) {
      trial.wide = !trial.all;
      continue;
    }
    const Decided decided{end, group->members(), group->rank()};
    if (!may->empty()) {
      // Where most of the work are tests.
      if (decided.rank > problem_.design.columns.size()) return std::nullopt;
      std::vector<Test> tests;
      for (std::size_t j = 0; j < problem_.stays.size(); ++j) tests.push_back(tried[j].best);
      narrowed_ = narrowed_to(*may, decided, std::move(tests));
      return std::nullopt;
    }
    for (std::size_t k = position; k < order.size(); ++k) {
      note(trial.design.weight, order[k], k < end, tried[order[k]].best, ledger);
    }
    return decided;
  }
  return std::nullopt;
}

// Where few tests need be repeated.
std::optional<GroupScreen::Narrowed> GroupScreen::narrowed_to(const Features& may,
                                                              const Decided& group,
                                                              std::vector<Test> tests) const {
  const std::size_t count = problem_.stays.size();
  if (4 * may.size() > count) return std::nullopt;
  std::vector<bool> tested(count);
  for (const std::size_t j : may) tested[j] = true;
  return Narrowed{group, std::make_shared<const std::vector<bool>>(std::move(tested)),
                  std::move(tests)};
}

// The least of many numbers that are told up to some percent would be too small: a group that comes
// later must explain a feature clearly better than `best`, or its test tells nothing.
Test GroupScreen::on_all_rows(Test test, double rows, const Test& best) const {
  if (!test.tells()) return test;
  const double beyond = rows - static_cast<double>(test.rank);
  if (test.value * (1 + clear_errors * std::sqrt(0.5 / beyond)) >= best.value) return {};
  const double of_all = static_cast<double>(test.rank) / problem_.design.weight;
  test.norm = std::min(test.value * std::sqrt(1 - of_all), 1.0);
  return test;
}

void GroupScreen::note(double rows, std::size_t feature, bool its_turn, Test test,
                       Ledger& ledger) const {
  if (test.estimated) test = on_all_rows(test, rows, ledger[feature].best);
  if (its_turn) {
    ledger.decide(feature, test);
  } else if (ledger.improves(feature, test)) {
    ledger[feature].best = test;
  }
}

// Is what is left of a feature, less what may be wrong with it, more than epsilon? `wrong`: of
// inner products.
bool GroupScreen::above(const Trial& trial, const Test& test, const Spread& spread, double wrong,
                        double epsilon) {
  const double rows = trial.design.weight;
  const double beyond = rows - static_cast<double>(test.rank);
  const double variance = 2 / beyond + std::max(spread.tails - 3, 0.0) / rows;
  const double certain = trial.all ? 1 : 1 - standard_errors * std::sqrt(variance);
  const double left = certain * test.norm * test.norm - wrong * spread.weights;
  return certain > 0 && left * rows / beyond > epsilon * epsilon;
}

std::optional<Features> GroupScreen::may_explain(const Trial& trial, bool narrow,
                                                 const ScreenBasis& group, const Ledger& tried,
                                                 const Features& features, double epsilon) const {
  const double wrong = narrow ? rounding(trial.design) : 0;
  Features may;
  Features near;
  for (const std::size_t j : features) {
    if (problem_.stays[j]) continue;
    const Test& test = tried[j].best;
    if (test.rank == 1 && !test.tells()) continue;  // the constant alone tests nothing
    if (!test.tells() || !above(trial, test, {}, wrong, epsilon)) {
      if (!trial.all) return std::nullopt;
      may.push_back(j);
    } else if (test.value <= far_left(narrow, epsilon)) {
      near.push_back(j);
    }
  }
  const std::vector<Spread> spreads = group.spreads(near, tried, !trial.all);
  for (std::size_t k = 0; k < near.size(); ++k) {
    if (above(trial, tried[near[k]].best, spreads[k], wrong, epsilon)) continue;
    if (!trial.all) return std::nullopt;
    may.push_back(near[k]);
  }
  return may;
}

}  // namespace fsieve::methods
