#include "methods/selection_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "methods/forward/forward.h"
#include "methods/union/unite.h"

namespace fsieve::inline methods {
namespace {

// Where k is chosen: so many features are looked at, and so many where more than half of them are
// best.
constexpr std::size_t short_path = 30;
constexpr std::size_t long_path = 100;

// How often the rows are dealt then. Few rows tell a curve from its noise only when they are dealt
// several times; of many once is enough.
std::size_t deals_for(double rows) {
  constexpr double enough = 2000;
  return static_cast<std::size_t>(std::clamp(std::ceil(enough / rows), 1.0, 4.0));
}

// Where k is given: rows that are held out for the estimate. Its standard error is then at most 2.2
// points of accuracy, and every further part would cost a search.
constexpr double enough_for_estimate = 500;

}  // namespace

std::optional<std::size_t> Estimator::estimate(SffsResult& result) {
  if (options_.folds == 0) return std::nullopt;
  if (options_.best_size) return choose_size(result);
  const std::vector<std::size_t> sizes{0, options_.k.value_or(data_.features.size())};
  const auto scores = validated(sizes, 1);
  if (scores) tell(*scores, scores->point(1).score, result);
  return std::nullopt;
}

std::size_t Estimator::choose_size(SffsResult& result) {
  std::vector<std::size_t> sizes = sizes_up_to(std::max(short_path, 2 * wishes_.keep.size()));
  const std::size_t deals = deals_for(data_.weight());
  auto scores = validated(sizes, deals);
  if (scores && 2 * sizes[scores->best()] > sizes.back() && sizes.back() < data_.features.size()) {
    sizes = sizes_up_to(std::max(long_path, sizes.back()));
    scores = validated(sizes, deals);
  }
  const std::size_t size = std::max(scores ? sizes[scores->choice()] : 0, wishes_.keep.size());
  if (!scores) {
    result.warnings.emplace_back(
        "fewer than two different rows: nothing can be predicted, and no feature is chosen");
    return size;
  }
  result.path = scores->path();
  tell(*scores, scores->score_of_choice(), result);
  return size;
}

// There is no size between none and what is kept anyway.
std::vector<std::size_t> Estimator::sizes_up_to(std::size_t most) const {
  std::vector<std::size_t> sizes = path_sizes(std::min(data_.features.size(), most));
  std::erase_if(sizes, [&](std::size_t s) { return s > 0 && s < wishes_.keep.size(); });
  return sizes;
}

std::optional<HeldOutScores> Estimator::validated(const std::vector<std::size_t>& sizes,
                                                  std::size_t deals) const {
  SffsOptions options = options_;
  if (options_.best_size) options.k = sizes.back();
  ValidationPlan plan;
  plan.parts = options_.folds;
  plan.deals = deals;
  if (!options_.best_size) plan.enough_rows = enough_for_estimate;
  plan.sizes = sizes;
  plan.always = wishes_.adjust;
  plan.seed = options_.seed;
  plan.memory = context_.memory;
  const auto search = [&](const SupervisedData& data) { return found_in(data, options); };
  return cross_validate(data_, search, plan, context_.watcher());
}

void Estimator::tell(const HeldOutScores& scores, double estimate, SffsResult& result) {
  (result.classes ? result.accuracy_estimate : result.r2_estimate) = estimate;
  result.estimate_model = "kernel ridge";
  guessing_ = scores.point(0).score;
}

void Estimator::warn_of_no_use(SffsResult& result) const {
  if (result.selected.empty() || result.estimate_model.empty()) return;
  if (result.accuracy_estimate && *result.accuracy_estimate <= guessing_) {
    result.warnings.push_back(fmt::format(
        "the accuracy estimate ({:.1f} %) is not above that of {} ({:.1f} %)",
        100 * *result.accuracy_estimate,
        wishes_.adjust.empty() ? "always guessing the most frequent class" : "the covariates alone",
        100 * guessing_));
  }
  if (result.r2_estimate && *result.r2_estimate <= guessing_) {
    result.warnings.push_back(fmt::format(
        "the R² estimate ({:.3g}) is not above that of {} ({:.3g})", *result.r2_estimate,
        wishes_.adjust.empty() ? "always guessing the mean" : "the covariates alone", guessing_));
  }
}

// What the search finds in some of the rows, in order: features, or groups of them.
FoundFeatures Estimator::found_in(const SupervisedData& data, SffsOptions options) const {
  if (options.k) options.k = std::min(*options.k, data.features.size());
  if (data.features.empty()) return {};
  NoProgress quiet;
  FoundFeatures found;
  if (options.search == Search::unite) {
    for (const UnitedFeature& united : unite(data, *data.source, options, quiet).chosen) {
      found.push_back({united.feature});
    }
    return found;
  }
  const Together* last = nullptr;
  const auto selected = search_forward(data, options, wishes_, false, quiet).selected;
  for (const RelevantFeature& one : selected) {
    const Together* group = group_of(one.feature);
    if (group == nullptr || group != last) found.emplace_back();
    found.back().push_back(one.feature);
    last = group;
  }
  return found;
}

const Together* Estimator::group_of(std::size_t feature) const {
  for (const Together& group : wishes_.groups) {
    if (std::find(group.features.begin(), group.features.end(), feature) != group.features.end()) {
      return &group;
    }
  }
  return nullptr;
}

}  // namespace fsieve::methods
