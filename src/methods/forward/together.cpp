#include "methods/forward/together.h"

#include <algorithm>

#include "base/parallel.h"

namespace fsieve::inline methods {
namespace {

const Together* group_of(const std::vector<Together>& groups, std::size_t feature) {
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const Together& group) {
    return std::find(group.features.begin(), group.features.end(), feature) != group.features.end();
  });
  return found == groups.end() ? nullptr : &*found;
}

// The features that one of them stands for, itself first.
std::vector<std::size_t> all_of(const std::vector<Together>& groups, std::size_t feature) {
  const Together* const group = group_of(groups, feature);
  return group == nullptr ? std::vector<std::size_t>{feature} : group->features;
}

std::vector<std::size_t> all_of(const std::vector<Together>& groups,
                                const std::vector<std::size_t>& features) {
  std::vector<std::size_t> all;
  for (const std::size_t feature : features) {
    const std::vector<std::size_t> members = all_of(groups, feature);
    all.insert(all.end(), members.begin(), members.end());
  }
  return all;
}

}  // namespace

void let_first_stand_for_group(Wishes& wishes, std::vector<std::size_t>& features) {
  const auto may_be_chosen = [&](std::size_t feature) {
    return std::find(features.begin(), features.end(), feature) != features.end();
  };
  std::erase_if(wishes.groups, [&](const Together& group) {
    return std::none_of(group.features.begin(), group.features.end(), may_be_chosen);
  });
  for (Together& group : wishes.groups) {
    const auto first = std::find_if(group.features.begin(), group.features.end(), may_be_chosen);
    std::rotate(group.features.begin(), first, first + 1);
    if (!wishes.cost.empty()) {
      wishes.cost[group.features.front()] = wishes.cost_of(group.features);
    }
    std::erase_if(features, [&](std::size_t feature) {
      return feature != group.features.front() &&
             std::find(group.features.begin(), group.features.end(), feature) !=
                 group.features.end();
    });
  }
  std::vector<std::size_t> keep;
  for (const std::size_t feature : wishes.keep) {
    const std::size_t first = all_of(wishes.groups, feature).front();
    if (std::find(keep.begin(), keep.end(), first) == keep.end()) keep.push_back(first);
  }
  wishes.keep = std::move(keep);
}

SupervisedData merged(const SupervisedData& data, const std::vector<Together>& groups) {
  SupervisedData one = without_columns(data);
  const std::size_t count = data.design.features.size();
  std::vector<std::size_t> columns;
  const auto add = [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      columns.push_back(c);
      one.design.columns.push_back(data.design.columns[c]);
    }
  };
  for (std::size_t f = 0; f < count; ++f) {
    DesignFeature& feature = one.design.features[f];
    const std::vector<std::size_t> members = all_of(groups, f);
    feature.first = feature.last = columns.size();
    if (members.front() != f) {
      feature.constant = true;
      continue;
    }
    for (const std::size_t member : members) {
      add(data.design.features[member].first, data.plain_end(member));
    }
    const std::size_t plain = columns.size();
    for (const std::size_t member : members) {
      add(data.plain_end(member), data.design.features[member].last);
    }
    feature.last = columns.size();
    one.curves[f] = feature.last - plain;
  }
  one.standardised = Buffer(data.rows() * columns.size());
  in_parallel(columns.size(), [&](std::size_t c) {
    std::copy_n(data.column(columns[c]), data.rows(), one.standardised.data() + c * data.rows());
  });
  return one;
}

void tell_apart(const std::vector<Together>& groups, ForwardResult& result) {
  std::vector<RelevantFeature> selected;
  for (const RelevantFeature& one : result.selected) {
    for (const std::size_t feature : all_of(groups, one.feature)) {
      selected.push_back(one);
      selected.back().feature = feature;
      selected.back().rank = selected.size();
    }
  }
  result.selected = std::move(selected);
  for (ScoredSubset& step : result.steps) step.features = all_of(groups, step.features);

  std::vector<FeatureWorth> ranking;
  for (const FeatureWorth& one : result.ranking) {
    const Together* const group = group_of(groups, one.feature);
    if (group != nullptr && group->features.front() != one.feature) continue;
    for (const std::size_t feature : all_of(groups, one.feature)) {
      ranking.push_back(one);
      ranking.back().feature = feature;
      ranking.back().rank = ranking.size();
      if (group != nullptr) ranking.back().group = group->name;
    }
  }
  result.ranking = std::move(ranking);
}

}  // namespace fsieve::methods
