// What the results of all commands have in common as JSON. Reading back: every complaint is an
// Error that says where in the object it is.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fsieve/result.h"
#include "fsieve/version.h"

namespace fsieve::inline report {

using json = nlohmann::ordered_json;

// Null for none and for what is not finite: JSON has no infinity.
[[nodiscard]] json number_json(std::optional<double> value);
[[nodiscard]] json parameters_json(const std::vector<Parameter>& parameters);
[[nodiscard]] json removed_json(const std::vector<RemovedFeature>& removed);
// "equation", or "equations" of a categorical column's indicators; nothing where there are none.
void put_equations(json& object, bool categorical, const std::vector<Equation>& equations);
template <typename Removed>
void put_equations(json& object, const Removed& feature) {
  put_equations(object, feature.categorical, feature.equations);
  if (!feature.baseline.empty()) object["baseline"] = feature.baseline;
}
// Equations that also name their target.
[[nodiscard]] json relations_json(const std::vector<Equation>& relations);
[[nodiscard]] json ignored_json(const std::vector<IgnoredColumn>& ignored);
[[nodiscard]] json timing_json(const Timing& timing);

// What a result of `reduce` begins and ends with, whatever the method.
template <typename Result>
[[nodiscard]] json begin_reduce(const Result& result) {
  json object{{"fsieve", result.version},
              {"schema", json_schema},
              {"command", "reduce"},
              {"method", result.method}};
  object["parameters"] = parameters_json(result.parameters);
  object["data"] = {
      {"source", result.source}, {"rows", result.rows}, {"features", result.features}};
  if (result.label) object["data"]["label"] = *result.label;
  return object;
}
template <typename Result>
void end_result(json& object, const Result& result) {
  object["ignored"] = ignored_json(result.ignored);
  object["warnings"] = result.warnings;
  if (result.timing) object["timing"] = timing_json(*result.timing);
}

// Column names may be in any encoding; the text is UTF-8 all the same.
[[nodiscard]] std::string dumped(const json& object);

// Throws Error where this version cannot read JSON of that schema.
void check_schema_number(std::size_t schema);

[[noreturn]] void not_a_result(const std::string& where);

[[nodiscard]] const json& member(const json& object, const char* key);
[[nodiscard]] const json& read_array(const json& object, const char* key);
[[nodiscard]] std::size_t read_count(const json& object, const char* key);
[[nodiscard]] int read_small_count(const json& object, const char* key);  // that an int holds
[[nodiscard]] std::optional<double> read_number(const json& object, const char* key);
[[nodiscard]] double read_or_nan(const json& object, const char* key);  // where it is null
[[nodiscard]] Reason read_reason(const json& object);
[[nodiscard]] std::vector<Parameter> read_parameters(const json& object);
[[nodiscard]] std::vector<RemovedFeature> read_removed(const json& object);
// What put_equations put for the feature of this name, and whether it is categorical.
[[nodiscard]] std::vector<Equation> read_equations(const json& object, const std::string& name,
                                                   bool& categorical);
[[nodiscard]] std::optional<std::vector<Equation>> read_relations(const json& object);
// None where the object was written before there were any.
[[nodiscard]] std::vector<IgnoredColumn> read_ignored(const json& object);
[[nodiscard]] std::optional<Timing> read_timing(const json& object);  // none: there is none

template <typename T>
[[nodiscard]] T read(const json& object, const char* key) {
  try {
    return member(object, key).get<T>();
  } catch (const json::exception&) {
    not_a_result(fmt::format("\"{}\" has the wrong type", key));
  }
}

// Which feature an entry is of; where that stood among the features of its run is not known.
template <typename Entry>
void read_feature(const json& object, Entry& entry) {
  entry.feature = unknown_position;
  entry.name = read<std::string>(object, "name");
  entry.index = read_count(object, "index");
}
// What the removed features of all methods have in common.
template <typename Removed>
void read_removal(const json& object, Removed& feature) {
  read_feature(object, feature);
  feature.reason = read_reason(object);
  feature.equations = read_equations(object, feature.name, feature.categorical);
  if (object.contains("baseline")) feature.baseline = read<std::string>(object, "baseline");
}

// The counterparts of begin_reduce and end_result.
template <typename Result>
void read_reduce_begin(const json& object, Result& result) {
  result.version = read<std::string>(object, "fsieve");
  result.method = read<std::string>(object, "method");
  result.parameters = read_parameters(object);
  const json& data = member(object, "data");
  result.source = read<std::string>(data, "source");
  result.rows = read_count(data, "rows");
  result.features = read_count(data, "features");
  if (data.contains("label")) result.label = read<std::string>(data, "label");
}
template <typename Result>
void read_result_end(const json& object, Result& result) {
  result.ignored = read_ignored(object);
  result.warnings = read<std::vector<std::string>>(object, "warnings");
  result.timing = read_timing(object);
}

// The whole objects.
[[nodiscard]] Report<UffsResult> read_reduce(const json& object);
[[nodiscard]] Report<SffsResult> read_select(const json& object);
[[nodiscard]] Report<GreedyChoice> read_greedy(const json& object);

}  // namespace fsieve::report
