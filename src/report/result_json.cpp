// Results of `reduce`.
#include "report/result_fields.h"
#include "report/result_names.h"

namespace fsieve {
namespace {

json kept_json(const SelectedFeature& feature) {
  json object{{"name", feature.name},
              {"index", feature.index},
              {"norm", number_json(feature.norm)},
              {"adjusted_norm", number_json(feature.adjusted_norm)},
              {"undecided", feature.undecided}};
  if (feature.estimated) object["estimated"] = true;
  if (feature.unconfirmed) object["unconfirmed"] = true;
  return object;
}

json stage_json(const StageReport& report) {
  const std::size_t size = report.stage.group_size;
  json object{{"depth", report.stage.depth},
              {"group_size", size > 0 ? json(size) : json(nullptr)},
              {"epsilon", number_json(report.epsilon)},
              {"engine", name_of(report.engine)},
              {"features", report.features},
              {"kept", report.kept},
              {"groups", report.groups},
              {"parities", report.parities}};
  if (report.sample > 0) object["sample"] = report.sample;
  return object;
}

json clusters_json(const std::vector<Cluster>& clusters) {
  json array = json::array();
  for (const Cluster& cluster : clusters) {
    array.push_back({{"representative", cluster.names.front()},
                     {"members", cluster.names},
                     {"r2", number_json(cluster.r2)}});
  }
  return array;
}

std::optional<std::vector<Cluster>> read_clusters(const json& object) {
  if (!object.contains("clusters")) return std::nullopt;
  std::vector<Cluster> clusters;
  for (const json& entry : read_array(object, "clusters")) {
    clusters.push_back(
        {{}, read_or_nan(entry, "r2"), read<std::vector<std::string>>(entry, "members")});
    if (clusters.back().names.empty()) not_a_result("a cluster without \"members\"");
  }
  return clusters;
}

SelectedFeature read_kept(const json& object) {
  SelectedFeature feature;
  read_feature(object, feature);
  feature.norm = read_or_nan(object, "norm");
  feature.adjusted_norm = read_number(object, "adjusted_norm");
  feature.undecided = read<bool>(object, "undecided");
  if (object.contains("estimated")) feature.estimated = read<bool>(object, "estimated");
  if (object.contains("unconfirmed")) feature.unconfirmed = read<bool>(object, "unconfirmed");
  return feature;
}

StageReport read_stage(const json& object) {
  StageReport report;
  report.stage.depth = read_small_count(object, "depth");
  if (!member(object, "group_size").is_null()) {
    report.stage.group_size = read_count(object, "group_size");
  }
  report.epsilon = read_number(object, "epsilon").value_or(0);
  if (!value_of(read<std::string>(object, "engine"), report.engine))
    not_a_result("unknown \"engine\"");
  report.features = read_count(object, "features");
  report.kept = read_count(object, "kept");
  report.groups = read_count(object, "groups");
  report.parities = read_count(object, "parities");
  if (object.contains("sample")) report.sample = read_count(object, "sample");
  return report;
}

}  // namespace

Report<UffsResult> report::read_reduce(const json& object) {
  Report<UffsResult> result;
  read_reduce_begin(object, result);
  for (const json& entry : read_array(object, "selected")) {
    result.selected.push_back(read_kept(entry));
  }
  result.removed = read_removed(object);
  for (const json& entry : read_array(object, "stages")) {
    result.stages.push_back(read_stage(entry));
  }
  result.relations = read_relations(object);
  result.clusters = read_clusters(object);
  read_result_end(object, result);
  return result;
}

std::string to_json(const Report<UffsResult>& result) {
  json object = begin_reduce(result);
  json& selected = object["selected"] = json::array();
  for (const SelectedFeature& feature : result.selected) selected.push_back(kept_json(feature));
  object["removed"] = removed_json(result.removed);
  json& stages = object["stages"] = json::array();
  for (const StageReport& report : result.stages) stages.push_back(stage_json(report));
  if (result.relations) object["relations"] = relations_json(*result.relations);
  if (result.clusters) object["clusters"] = clusters_json(*result.clusters);
  end_result(object, result);
  return dumped(object);
}

}  // namespace fsieve
