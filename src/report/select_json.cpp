// Results of `select`.
#include <cmath>
#include <utility>

#include "report/result_fields.h"
#include "report/result_names.h"

namespace fsieve {
namespace {

json ranked_json(const RelevantFeature& feature) {
  return {{"name", feature.name},
          {"index", feature.index},
          {"rank", feature.rank},
          {"round", feature.round ? json(*feature.round) : json(nullptr)},
          {"score", number_json(feature.score)},
          {"p_value", number_json(feature.p_value)}};
}

json bound_json(const std::optional<LossBound>& bound) {
  if (!bound) return nullptr;
  return {{"delta", bound->delta},
          {"excess_loss", number_json(bound->excess_loss)},
          {"vacuous", bound->vacuous}};
}

json ranking_json(const FeatureWorth& entry) {
  json object{{"name", entry.name},
              {"index", entry.index},
              {"rank", entry.rank},
              {"gain", number_json(entry.gain)},
              {"p_value", number_json(entry.p_value)},
              {"q_value", number_json(entry.q_value)},
              {"stability", number_json(entry.stability)}};
  if (!entry.group.empty()) object["group"] = entry.group;
  return object;
}

json stability_json(const std::optional<StabilityReport>& stability) {
  if (!stability) return nullptr;
  json object{{"samples", stability->samples}, {"mean_selected", stability->mean_selected}};
  json& bounds = object["bounds"] = json::array();
  for (const StabilityBound& bound : stability->bounds) {
    bounds.push_back({{"threshold", bound.threshold},
                      {"features", bound.features},
                      {"expected_false", bound.expected_false}});
  }
  return object;
}

RelevantFeature read_ranked(const json& object) {
  RelevantFeature feature;
  read_feature(object, feature);
  feature.rank = read_count(object, "rank");
  if (!member(object, "round").is_null()) {
    feature.round = read_small_count(object, "round");
  }
  feature.score = read_or_nan(object, "score");
  feature.p_value = read_number(object, "p_value");
  return feature;
}

// What every feature is worth; null where that was not asked for.
void put_ranking(const Report<SffsResult>& result, json& object) {
  json& ranking = object["ranking"];
  json& substitutes = object["substitutes"];
  if (result.ranking.empty()) return;
  ranking = substitutes = json::array();
  for (const FeatureWorth& entry : result.ranking) ranking.push_back(ranking_json(entry));
  for (const Substitute& substitute : result.substitutes) {
    substitutes.push_back({{"name", substitute.name},
                           {"for", substitute.name_instead_of},
                           {"loss", number_json(substitute.loss)}});
  }
}

FeatureWorth read_ranking(const json& object) {
  FeatureWorth entry;
  read_feature(object, entry);
  entry.rank = read_count(object, "rank");
  entry.gain = read<double>(object, "gain");
  entry.p_value = read_number(object, "p_value");
  entry.q_value = read_number(object, "q_value");
  entry.stability = read_number(object, "stability");
  if (object.contains("group")) entry.group = read<std::string>(object, "group");
  return entry;
}

std::optional<StabilityReport> read_stability(const json& object) {
  const json& stability = member(object, "stability");
  if (stability.is_null()) return std::nullopt;
  StabilityReport report{
      read_count(stability, "samples"), read<double>(stability, "mean_selected"), {}};
  for (const json& bound : read_array(stability, "bounds")) {
    report.bounds.push_back({read<double>(bound, "threshold"), read_count(bound, "features"),
                             read<double>(bound, "expected_false")});
  }
  return report;
}

// Results of versions before these keys are read too.
void read_wishes(const json& object, Report<SffsResult>& result) {
  if (!object.contains("ranking")) return;
  result.stability = read_stability(object);
  if (member(object, "ranking").is_null()) return;
  for (const json& entry : read_array(object, "ranking")) {
    result.ranking.push_back(read_ranking(entry));
  }
  for (const json& entry : read_array(object, "substitutes")) {
    result.substitutes.push_back({unknown_position, unknown_position, read_or_nan(entry, "loss"),
                                  read<std::string>(entry, "name"),
                                  read<std::string>(entry, "for")});
  }
}

// What the first schema did not have.
void read_estimates(const json& object, Report<SffsResult>& result) {
  for (const json& entry : read_array(object, "path")) {
    result.path.push_back(
        {read_count(entry, "k"), read_or_nan(entry, "score"), read_or_nan(entry, "error")});
  }
  result.r2_estimate = read_number(object, "r2_estimate");
  if (!member(object, "estimate_model").is_null()) {
    result.estimate_model = read<std::string>(object, "estimate_model");
  }
}

std::optional<LossBound> read_bound(const json& object) {
  const json& bound = member(object, "bound");
  if (bound.is_null()) return std::nullopt;
  return LossBound{read<double>(bound, "delta"),
                   read_number(bound, "excess_loss").value_or(HUGE_VAL),
                   read<bool>(bound, "vacuous")};
}

}  // namespace

Report<SffsResult> report::read_select(const json& object) {
  Report<SffsResult> result;
  result.version = read<std::string>(object, "fsieve");
  result.method = read<std::string>(object, "method");
  if (!value_of(read<std::string>(object, "measure"), result.measure)) {
    not_a_result("unknown \"measure\"");
  }
  result.parameters = read_parameters(object);
  const json& data = member(object, "data");
  result.source = read<std::string>(data, "source");
  result.rows = read_count(data, "rows");
  result.features = read_count(data, "features");
  result.label = read<std::string>(data, "label");
  if (data.contains("sample_rows")) result.sample_rows = read_count(data, "sample_rows");
  if (data.contains("classes")) {
    result.classes = read<std::vector<std::string>>(data, "classes");
  }
  for (const json& entry : read_array(object, "selected")) {
    result.selected.push_back(read_ranked(entry));
  }
  for (const json& entry : read_array(object, "subsets")) {
    NamedSubset& subset = result.subsets.emplace_back();
    subset.names = read<std::vector<std::string>>(entry, "features");
    subset.score = read_or_nan(entry, "score");
  }
  read_wishes(object, result);
  result.accuracy_estimate = read_number(object, "accuracy_estimate");
  if (read_count(object, "schema") > 1) read_estimates(object, result);
  result.bound = read_bound(object);
  result.reduced.emplace().removed = read_removed(member(object, "reduced"));
  read_result_end(object, result);
  return result;
}

std::string to_json(const Report<SffsResult>& result) {
  json object{{"fsieve", result.version},
              {"schema", json_schema},
              {"command", "select"},
              {"method", result.method},
              {"measure", name_of(result.measure)}};
  object["parameters"] = parameters_json(result.parameters);
  object["data"] = {{"source", result.source},
                    {"rows", result.rows},
                    {"features", result.features},
                    {"label", result.label.value_or("")}};
  if (result.sample_rows) object["data"]["sample_rows"] = *result.sample_rows;
  if (result.classes) object["data"]["classes"] = *result.classes;
  json& selected = object["selected"] = json::array();
  for (const RelevantFeature& feature : result.selected) selected.push_back(ranked_json(feature));
  json& subsets = object["subsets"] = json::array();
  for (const NamedSubset& subset : result.subsets) {
    json entry{{"features", subset.names}};
    entry["score"] = number_json(subset.score);
    subsets.push_back(std::move(entry));
  }
  put_ranking(result, object);
  object["stability"] = stability_json(result.stability);
  json& path = object["path"] = json::array();
  for (const PathPoint& point : result.path) {
    path.push_back(
        {{"k", point.k}, {"score", number_json(point.score)}, {"error", number_json(point.error)}});
  }
  object["accuracy_estimate"] = number_json(result.accuracy_estimate);
  object["r2_estimate"] = number_json(result.r2_estimate);
  object["estimate_model"] =
      result.estimate_model.empty() ? json(nullptr) : json(result.estimate_model);
  object["bound"] = bound_json(result.bound);
  object["reduced"] = {
      {"removed", result.reduced ? removed_json(result.reduced->removed) : json::array()}};
  end_result(object, result);
  return dumped(object);
}

}  // namespace fsieve
