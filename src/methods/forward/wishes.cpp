#include "methods/forward/wishes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/nearest.h"
#include "fsieve/error.h"
#include "table/glob.h"

namespace fsieve::inline methods {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(message, Error::Kind::usage); }

std::size_t find(std::string_view option, const std::string& name, const Schema& schema) {
  const auto& features = schema.features;
  const auto found = std::find_if(features.begin(), features.end(),
                                  [&](const Column& column) { return column.name == name; });
  if (found != features.end()) return static_cast<std::size_t>(found - features.begin());
  if (schema.label && schema.label->name == name) {
    throw Error(fmt::format("{}: \"{}\" is the label, not a feature", option, name));
  }
  std::vector<std::string_view> names;
  names.reserve(features.size());
  for (const Column& column : features) names.emplace_back(column.name);
  const std::string_view near = nearest(name, names);
  throw Error(fmt::format("{}: no feature column \"{}\"{}", option, name,
                          near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near)),
              Error::Code::no_such_column);
}

std::vector<std::size_t> find_all(std::string_view option, const std::vector<std::string>& names,
                                  const Schema& schema) {
  std::vector<std::size_t> features;
  for (const std::string& name : names) {
    const std::size_t feature = find(option, name, schema);
    if (std::find(features.begin(), features.end(), feature) == features.end()) {
      features.push_back(feature);
    }
  }
  return features;
}

// A name with glob characters in it may be meant as it is.
std::vector<std::size_t> matching(const FeatureGroup& group, const Schema& schema) {
  std::set<std::size_t> features;
  for (const std::string& pattern : group.columns) {
    const io::Glob glob(pattern);
    const std::size_t before = features.size();
    bool exact = false;
    for (std::size_t j = 0; j < schema.features.size() && !exact; ++j) {
      exact = schema.features[j].name == pattern;
      if (exact) features.insert(j);
    }
    for (std::size_t j = 0; j < schema.features.size() && !exact; ++j) {
      if (glob.matches(schema.features[j].name)) features.insert(j);
    }
    if (features.size() == before && !exact) {
      throw Error(fmt::format("--group {}: no feature column matches \"{}\"", group.name, pattern),
                  Error::Code::no_such_column);
    }
  }
  return {features.begin(), features.end()};
}

void check_apart(const Wishes& wishes, const Schema& schema) {
  const auto name = [&](std::size_t feature) { return schema.features[feature].name; };
  const auto adjusted = [&](std::size_t feature) {
    return std::find(wishes.adjust.begin(), wishes.adjust.end(), feature) != wishes.adjust.end();
  };
  for (const std::size_t feature : wishes.keep) {
    if (adjusted(feature)) {
      refuse(fmt::format("\"{}\" cannot be both in --keep and in --adjust", name(feature)));
    }
  }
  std::set<std::size_t> grouped;
  for (const Together& group : wishes.groups) {
    for (const std::size_t feature : group.features) {
      if (adjusted(feature)) {
        refuse(fmt::format("\"{}\" cannot be both in --group {} and in --adjust", name(feature),
                           group.name));
      }
      if (!grouped.insert(feature).second) {
        refuse(fmt::format("--group: \"{}\" is in two groups", name(feature)));
      }
    }
  }
}

}  // namespace

Wishes wishes_of(const SffsOptions& options, const Schema& schema) {
  Wishes wishes;
  wishes.keep = find_all("--keep", options.keep, schema);
  wishes.adjust = find_all("--adjust", options.adjust, schema);
  for (const FeatureGroup& group : options.groups) {
    wishes.groups.push_back({group.name, matching(group, schema)});
  }
  if (!options.costs.empty()) wishes.cost.assign(schema.features.size(), 1);
  for (const FeatureCost& cost : options.costs) {
    if (!(cost.cost > 0)) refuse(fmt::format("--cost {}: {} is not above 0", cost.name, cost.cost));
    wishes.cost[find("--cost", cost.name, schema)] = cost.cost;
  }
  check_apart(wishes, schema);
  return wishes;
}

}  // namespace fsieve::methods
