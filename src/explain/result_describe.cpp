#include <cmath>

#include "fsieve/result.h"
#include "fsieve/version.h"

namespace fsieve {
namespace {

std::optional<double> finite(std::optional<double> value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace

ReduceResult describe(const UffsResult& found, const Source& source) {
  const Schema& schema = source.schema();
  ReduceResult result;
  result.version = version();
  result.rows = source.rows();
  result.features = schema.features.size();
  if (schema.label) result.label = schema.label->name;
  for (const SelectedFeature& feature : found.selected) {
    const Column& column = schema.features.at(feature.feature);
    result.selected.push_back({column.name, column.index, finite(feature.norm),
                               finite(feature.adjusted_norm), feature.undecided});
  }
  for (const RemovedFeature& feature : found.removed) {
    const Column& column = schema.features.at(feature.feature);
    result.removed.push_back({column.name, column.index, finite(feature.norm),
                              finite(feature.adjusted_norm), feature.stage, feature.reason,
                              column.kind == ColumnKind::categorical, feature.equations});
  }
  result.stages = found.stages;
  result.warnings = found.warnings;
  return result;
}

}  // namespace fsieve
