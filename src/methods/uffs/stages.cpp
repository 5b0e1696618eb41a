#include "methods/uffs/stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "basis/parity.h"
#include "fsieve/error.h"

namespace fsieve::inline methods {
namespace {

// The largest group whose parities number at most a quarter of the rows.
std::size_t largest_group(double rows, double columns_per_feature, int depth, std::size_t most) {
  std::size_t size = 0;
  const double quarter = rows / 4;
  while (size < most && parity_count(size + 1, depth, columns_per_feature) <= quarter) ++size;
  return size;
}

// One value per stage: the only one, or the one at its place.
double value_at(const std::vector<double>& values, std::size_t place) {
  return values.size() == 1 ? values[0] : values[place];
}

void check_count(const std::vector<double>& values, std::size_t stages, const char* what) {
  if (values.size() == 1 || values.size() == stages) return;
  throw Error(fmt::format("{} {} values for {} stages: give one, or one per stage", values.size(),
                          what, stages),
              Error::Kind::usage);
}

void check(const UffsOptions& options, std::size_t stages) {
  const auto usage = [](const std::string& message) { throw Error(message, Error::Kind::usage); };
  check_count(options.epsilon, stages, "epsilon");
  for (const double epsilon : options.epsilon) {
    if (!(epsilon > 0 && epsilon < 1)) {
      usage(fmt::format("epsilon {} is not between 0 and 1", epsilon));
    }
  }
  const bool cumulative = options.rule == Rule::cumulative;
  if (cumulative) {
    check_count(options.share, stages, "share");
    for (const double share : options.share) {
      if (!(share > 0 && share <= 1)) usage(fmt::format("share {} is not in (0, 1]", share));
    }
  }
  const Groups groups = effective_groups(options);
  if (cumulative && groups == Groups::any) usage("the cumulative rule needs own groups");
  if (options.prune && groups == Groups::any) usage("prune goes with own groups only");
  for (const Stage& stage : options.stages) {
    if (stage.depth < 1 || stage.depth > max_depth) {
      usage(fmt::format("depth {} is not between 1 and {}", stage.depth, max_depth));
    }
    if (stage.group_size == 1) usage("a group of one feature tests nothing: give 2 or more");
  }
}

// The largest group whose products of up to `depth` number at most a quarter of the rows, and whose
// size is one of the paper's.
std::size_t automatic_group(double rows, double columns_per_feature, int depth) {
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  constexpr std::size_t most[] = {all, 50, 30};  // of depth 1, 2 and 3 (000 section 4.1)
  const std::size_t place = std::min<std::size_t>(static_cast<std::size_t>(depth), 3) - 1;
  return largest_group(rows, columns_per_feature, depth, most[place]);
}

double columns_per_feature(const Design& design, const Features& order) {
  std::size_t columns = 0;
  for (const std::size_t j : order) {
    columns += design.features[j].last - design.features[j].first;
  }
  return order.empty() ? 1 : static_cast<double>(columns) / static_cast<double>(order.size());
}

std::vector<PlannedStage> given_or_automatic(const UffsOptions& options, double rows,
                                             double columns_per_feature) {
  constexpr std::size_t automatic_stages = 3;
  const bool automatic = options.stages.empty();
  const std::size_t count = automatic ? automatic_stages : options.stages.size();
  check(options, count);
  std::vector<PlannedStage> plan;
  for (std::size_t s = 0; s < count; ++s) {
    PlannedStage planned;
    if (automatic) {
      const int depth = static_cast<int>(s) + 1;
      planned.stage = {depth, automatic_group(rows, columns_per_feature, depth)};
      if (planned.stage.group_size < 2) continue;
    } else {
      planned.stage = options.stages[s];
    }
    planned.epsilon = value_at(options.epsilon, s);
    if (options.rule == Rule::cumulative) planned.share = value_at(options.share, s);
    plan.push_back(planned);
  }
  return plan;
}

// Sums of products of rows that are gone say nothing of deeper products. Automatic stages do
// without these.
void leave_out_deeper_stages(const Problem& problem, std::vector<PlannedStage>& plan) {
  const int most = problem.products->depth();
  const auto deeper = [&](const PlannedStage& planned) { return planned.stage.depth > most; };
  if (!problem.options.stages.empty() && std::any_of(plan.begin(), plan.end(), deeper)) {
    throw Error(fmt::format("--stages: the sums were formed for products of up to {}", most),
                Error::Kind::usage);
  }
  std::erase_if(plan, deeper);
}

// One group of all features may have more products than anyone waits for.
void cut_endless_groups(const Problem& problem, const Features& order,
                        std::vector<PlannedStage>& plan, std::vector<std::string>& warnings) {
  constexpr double long_work = 1e11;  // multiply-adds
  const double rows = problem.design.weight;
  const double width = columns_per_feature(problem.design, order);
  for (PlannedStage& planned : plan) {
    if (planned.stage.depth == 1 || planned.stage.group_size != 0) continue;
    const int depth = planned.stage.depth;
    const double products = parity_count(order.size(), depth, width);
    if (rows * products * std::min(products, rows) < long_work) continue;
    const std::size_t size = automatic_group(rows, width, depth);
    if (problem.groups == Groups::any && size >= 2) {
      planned.stage.group_size = size;
      warnings.push_back(fmt::format(
          "--stages {0}: one group of {1} features has {2:.3g} products, so groups of {3} are "
          "used, as by {0}:{3} (write {0}:{1} for one group)",
          depth, order.size(), products, size));
    } else {
      warnings.push_back(
          fmt::format("--stages {0}: one group of {1} features has {2:.3g} products, which takes "
                      "long; a group size, as in {0}:30, makes it short",
                      depth, order.size(), products));
    }
  }
}

}  // namespace

Groups effective_groups(const UffsOptions& options) {
  return options.groups.value_or(options.rule == Rule::adjusted ? Groups::any : Groups::own);
}

Order effective_order(const UffsOptions& options) {
  const bool papers_own = options.rule != Rule::adjusted;
  return options.order == Order::automatic && papers_own ? Order::input : options.order;
}

std::size_t PlannedStage::group_limit(std::size_t features) const {
  return stage.group_size == 0 ? features : std::min(stage.group_size, features);
}

double PlannedStage::column_limit(const Design& design, const Features& order) const {
  return static_cast<double>(group_limit(order.size())) * columns_per_feature(design, order);
}

std::size_t PlannedStage::groups(std::size_t features) const {
  if (features == 0) return 0;
  const std::size_t limit = group_limit(features);
  return (features + limit - 1) / limit;
}

double PlannedStage::products(const Design& design, const Features& order) const {
  return parity_count(group_limit(order.size()), stage.depth, columns_per_feature(design, order));
}

std::vector<PlannedStage> plan_stages(const Problem& problem, const Features& order,
                                      std::vector<std::string>& warnings) {
  auto plan = given_or_automatic(problem.options, problem.design.weight,
                                 columns_per_feature(problem.design, order));
  leave_out_deeper_stages(problem, plan);
  cut_endless_groups(problem, order, plan, warnings);
  if (plan.empty()) {
    warnings.push_back(fmt::format(
        "{:g} rows are too few to test anything (a group of two needs 12): all features are kept",
        problem.design.weight));
  }
  return plan;
}

}  // namespace fsieve::methods
