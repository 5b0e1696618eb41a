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
  const Groups groups =
      options.groups.value_or(options.rule == Rule::adjusted ? Groups::any : Groups::own);
  if (cumulative && groups == Groups::any) usage("the cumulative rule needs own groups");
  if (options.prune && groups == Groups::any) usage("prune goes with own groups only");
  for (const Stage& stage : options.stages) {
    if (stage.depth < 1 || stage.depth > max_depth) {
      usage(fmt::format("depth {} is not between 1 and {}", stage.depth, max_depth));
    }
    if (stage.group_size == 1) usage("a group of one feature tests nothing: give 2 or more");
  }
}

}  // namespace

std::size_t automatic_group(double rows, double columns_per_feature, int depth) {
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  constexpr std::size_t most[] = {all, 50, 30};  // of depth 1, 2 and 3 (000 section 4.1)
  const std::size_t place = std::min<std::size_t>(static_cast<std::size_t>(depth), 3) - 1;
  return largest_group(rows, columns_per_feature, depth, most[place]);
}

std::vector<PlannedStage> plan_stages(const UffsOptions& options, double rows,
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

}  // namespace fsieve::methods
