#include <algorithm>
#include <cmath>

#include "fsieve/error.h"
#include "fsieve/result.h"
#include "fsieve/version.h"

namespace fsieve {
namespace {

std::optional<double> finite(std::optional<double> value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

const Column& feature_at(const Schema& schema, std::size_t position) {
  if (position < schema.features.size()) return schema.features[position];
  throw Error("the result is not of this table, which has fewer features", Error::Kind::usage);
}

// The level of a category that has no indicator, where the equations are those of indicators.
std::string baseline_of(const Column& column, const std::vector<Equation>& equations) {
  if (equations.empty() || equations.front().target == column.name) return {};
  for (const std::string& level : column.levels) {
    const std::string indicator = column.name + "=" + level;
    const bool listed = std::any_of(equations.begin(), equations.end(), [&](const Equation& known) {
      return known.target == indicator;
    });
    if (!listed) return level;
  }
  return {};
}

std::vector<DroppedFeature> dropped(const UffsResult& found, const Schema& schema) {
  std::vector<DroppedFeature> removed;
  removed.reserve(found.removed.size());
  for (const RemovedFeature& feature : found.removed) {
    const Column& column = feature_at(schema, feature.feature);
    // A number cut into bins has equations of indicators too.
    const bool indicators =
        !feature.equations.empty() && feature.equations.front().target != column.name;
    removed.push_back(
        {column.name, column.index, finite(feature.norm), finite(feature.adjusted_norm),
         feature.stage, feature.reason, column.kind == ColumnKind::categorical || indicators,
         feature.equations,
         feature.reason == Reason::constant ? "" : baseline_of(column, feature.equations)});
  }
  return removed;
}

// What all results have in common.
template <typename Result, typename Found>
Result begun(const Found& found, const Source& source) {
  const Schema& schema = source.schema();
  Result result;
  result.version = version();
  result.rows = source.rows();
  result.features = schema.features.size();
  if (schema.label) result.label = schema.label->name;
  result.ignored = schema.ignored;
  result.warnings = found.warnings;
  return result;
}

}  // namespace

ReduceResult describe(const UffsResult& found, const Source& source) {
  const Schema& schema = source.schema();
  auto result = begun<ReduceResult>(found, source);
  for (const SelectedFeature& feature : found.selected) {
    const Column& column = feature_at(schema, feature.feature);
    result.selected.push_back({column.name, column.index, finite(feature.norm),
                               finite(feature.adjusted_norm), feature.undecided});
  }
  result.removed = dropped(found, schema);
  result.stages = found.stages;
  return result;
}

std::vector<NamedCluster> named_clusters(const UffsResult& found, const Source& source) {
  std::vector<NamedCluster> clusters;
  for (const Cluster& cluster : found.clusters) {
    NamedCluster& named = clusters.emplace_back();
    for (const std::size_t member : cluster.members) {
      named.members.push_back(feature_at(source.schema(), member).name);
    }
    named.r2 = finite(cluster.r2);
  }
  return clusters;
}

GreedyResult describe(const GreedyChoice& found, const Source& source) {
  const Schema& schema = source.schema();
  auto result = begun<GreedyResult>(found, source);
  for (const ChosenFeature& feature : found.selected) {
    const Column& column = feature_at(schema, feature.feature);
    result.selected.push_back({column.name, column.index, feature.variance, feature.variance_left});
  }
  for (const OtherFeature& feature : found.removed) {
    const Column& column = feature_at(schema, feature.feature);
    result.removed.push_back(
        {column.name, column.index, feature.variance_left, feature.reason,
         column.kind == ColumnKind::categorical, feature.equations,
         feature.reason == Reason::constant ? "" : baseline_of(column, feature.equations)});
  }
  result.trace = found.trace;
  result.functions = found.functions;
  result.saturated = found.saturated;
  result.engine = found.engine;
  result.standardised = found.standardised;
  result.entropy_bound = found.entropy_bound;
  return result;
}

SelectResult describe(const SffsResult& found, const Source& source) {
  const Schema& schema = source.schema();
  auto result = begun<SelectResult>(found, source);
  result.measure = found.measure;
  if (found.classification) result.classes = found.classes;
  result.sample_rows = found.sample_rows;
  for (const RelevantFeature& feature : found.selected) {
    const Column& column = feature_at(schema, feature.feature);
    result.selected.push_back({column.name, column.index, feature.rank, feature.round,
                               finite(feature.score), finite(feature.p_value)});
  }
  for (const ScoredSubset& subset : found.subsets) {
    RankedSubset& named = result.subsets.emplace_back();
    named.score = finite(subset.score);
    for (const std::size_t j : subset.features) {
      named.features.push_back(feature_at(schema, j).name);
    }
  }
  for (const FeatureWorth& worth : found.ranking) {
    const Column& column = schema.features.at(worth.feature);
    result.ranking.push_back({column.name, column.index, worth.rank, worth.gain,
                              finite(worth.p_value), finite(worth.q_value), worth.stability,
                              worth.group});
  }
  for (const Substitute& substitute : found.substitutes) {
    result.substitutes.push_back({schema.features.at(substitute.feature).name,
                                  schema.features.at(substitute.instead_of).name, substitute.loss});
  }
  result.stability = found.stability;
  result.path = found.path;
  result.accuracy_estimate = finite(found.accuracy_estimate);
  result.r2_estimate = finite(found.r2_estimate);
  result.estimate_model = found.estimate_model;
  result.bound = found.bound;
  if (found.reduced) result.removed = dropped(*found.reduced, schema);
  return result;
}

}  // namespace fsieve
