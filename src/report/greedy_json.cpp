// Results of `reduce` with gfs or gfa.
#include "report/result_fields.h"
#include "report/result_names.h"

namespace fsieve {
namespace {

json taken_json(const ChosenFeature& feature) {
  return {{"name", feature.name},
          {"index", feature.index},
          {"variance", number_json(feature.variance)},
          {"variance_left", number_json(feature.variance_left)}};
}

json rest_json(const OtherFeature& feature) {
  json object{{"name", feature.name},
              {"index", feature.index},
              {"variance_left", number_json(feature.variance_left)},
              {"reason", name_of(feature.reason)}};
  put_equations(object, feature);
  return object;
}

json bound_json(const EntropyBound& bound) {
  return {{"bits", number_json(bound.bits)},
          {"trivial_bits", number_json(bound.trivial_bits)},
          {"vacuous", bound.vacuous}};
}

json units_json(const std::vector<StandardUnit>& units) {
  json array = json::array();
  for (const StandardUnit& unit : units) {
    array.push_back({{"name", unit.name},
                     {"mean", number_json(unit.mean)},
                     {"deviation", number_json(unit.deviation)}});
  }
  return array;
}

double read_value(const json& object, const char* key) {
  return read_number(object, key).value_or(0);
}

ChosenFeature read_taken(const json& object) {
  ChosenFeature feature;
  read_feature(object, feature);
  feature.variance = read_value(object, "variance");
  feature.variance_left = read_value(object, "variance_left");
  return feature;
}

OtherFeature read_rest(const json& object) {
  OtherFeature feature;
  read_removal(object, feature);
  feature.variance_left = read_value(object, "variance_left");
  return feature;
}

}  // namespace

Report<GreedyChoice> report::read_greedy(const json& object) {
  Report<GreedyChoice> result;
  read_reduce_begin(object, result);
  if (result.method != "gfs" && result.method != "gfa") not_a_result("unknown \"method\"");
  result.chosen_by = result.method == "gfa" ? GreedyMethod::gfa : GreedyMethod::gfs;
  for (const json& entry : read_array(object, "selected")) {
    result.selected.push_back(read_taken(entry));
  }
  for (const json& entry : read_array(object, "removed")) {
    result.removed.push_back(read_rest(entry));
  }
  result.trace = read<std::vector<double>>(object, "trace");
  result.functions = read_count(object, "functions");
  result.saturated = read<bool>(object, "saturated");
  if (!value_of(read<std::string>(object, "engine"), result.engine)) {
    not_a_result("unknown \"engine\"");
  }
  if (object.contains("standardised")) {
    for (const json& unit : read_array(object, "standardised")) {
      result.standardised.push_back({read<std::string>(unit, "name"), read_value(unit, "mean"),
                                     read_value(unit, "deviation")});
    }
  }
  if (object.contains("entropy_bound")) {
    const json& bound = object.at("entropy_bound");
    result.entropy_bound = EntropyBound{
        read_value(bound, "bits"), read_value(bound, "trivial_bits"), read<bool>(bound, "vacuous")};
  }
  read_result_end(object, result);
  return result;
}

std::string to_json(const Report<GreedyChoice>& result) {
  json object = begin_reduce(result);
  json& selected = object["selected"] = json::array();
  for (const ChosenFeature& feature : result.selected) selected.push_back(taken_json(feature));
  json& removed = object["removed"] = json::array();
  for (const OtherFeature& feature : result.removed) removed.push_back(rest_json(feature));
  json& trace = object["trace"] = json::array();
  for (const double value : result.trace) trace.push_back(number_json(value));
  object["functions"] = result.functions;
  object["saturated"] = result.saturated;
  object["engine"] = name_of(result.engine);
  if (!result.standardised.empty()) object["standardised"] = units_json(result.standardised);
  if (result.entropy_bound) object["entropy_bound"] = bound_json(*result.entropy_bound);
  end_result(object, result);
  return dumped(object);
}

}  // namespace fsieve
