#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "explain/result_names.h"
#include "fsieve/error.h"
#include "fsieve/result.h"

namespace fsieve {
namespace {

using json = nlohmann::ordered_json;

constexpr int kSchema = 1;

// JSON has no infinity.
json number(std::optional<double> value) {
  return value && std::isfinite(*value) ? json(*value) : json(nullptr);
}

json parameter(const ParameterValue& value) {
  return std::visit(
      [](const auto& held) -> json {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>) {
          return nullptr;
        } else {
          return held;
        }
      },
      value);
}

json equation_json(const Equation& equation) {
  json terms = json::array();
  for (const Term& term : equation.terms) {
    terms.push_back({{"coefficient", number(term.coefficient)}, {"factors", term.factors}});
  }
  json object{{"text", to_text(equation)}, {"r2", number(equation.r2)}};
  object["terms"] = std::move(terms);
  return object;
}

json kept_json(const KeptFeature& feature) {
  return {{"name", feature.name},
          {"index", feature.index},
          {"norm", number(feature.norm)},
          {"adjusted_norm", number(feature.adjusted_norm)},
          {"undecided", feature.undecided}};
}

json dropped_json(const DroppedFeature& feature) {
  json object{{"name", feature.name},         {"index", feature.index},
              {"norm", number(feature.norm)}, {"adjusted_norm", number(feature.adjusted_norm)},
              {"stage", feature.stage},       {"reason", name_of(feature.reason)}};
  if (feature.categorical) {
    object["equations"] = json::array();
    for (const Equation& equation : feature.equations) {
      // Which indicator the equation is of is not clear from the column's name.
      json entry{{"indicator", equation.target}};
      entry.update(equation_json(equation));
      object["equations"].push_back(std::move(entry));
    }
  } else if (!feature.equations.empty()) {
    object["equation"] = equation_json(feature.equations.front());
  }
  return object;
}

json stage_json(const StageReport& report) {
  const std::size_t size = report.stage.group_size;
  return {
      {"depth", report.stage.depth},       {"group_size", size > 0 ? json(size) : json(nullptr)},
      {"epsilon", number(report.epsilon)}, {"engine", name_of(report.engine)},
      {"features", report.features},       {"kept", report.kept},
      {"groups", report.groups},           {"parities", report.parities}};
}

// Reading back. Every complaint says where in the object it is.

[[noreturn]] void foreign(const std::string& where) {
  throw Error("not a result of fsieve reduce (" + where + ")");
}

const json& member(const json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) foreign(fmt::format("\"{}\" is missing", key));
  return object.at(key);
}

template <typename T>
T read(const json& object, const char* key) {
  try {
    return member(object, key).get<T>();
  } catch (const json::exception&) {
    foreign(fmt::format("\"{}\" has the wrong type", key));
  }
}

std::size_t read_count(const json& object, const char* key) {
  if (!member(object, key).is_number_unsigned()) {
    foreign(fmt::format("\"{}\" is not a count", key));
  }
  return read<std::size_t>(object, key);
}

const json& read_array(const json& object, const char* key) {
  const json& array = member(object, key);
  if (!array.is_array()) foreign(fmt::format("\"{}\" is not an array", key));
  return array;
}

std::optional<double> read_number(const json& object, const char* key) {
  if (member(object, key).is_null()) return std::nullopt;
  return read<double>(object, key);
}

Equation read_equation(const json& object, const std::string& target) {
  Equation equation;
  equation.target = target;
  equation.r2 = read_number(object, "r2").value_or(0);
  for (const json& term : read_array(object, "terms")) {
    equation.terms.push_back({read_number(term, "coefficient").value_or(0),
                              read<std::vector<std::string>>(term, "factors")});
  }
  return equation;
}

KeptFeature read_kept(const json& object) {
  return {read<std::string>(object, "name"), read_count(object, "index"),
          read_number(object, "norm"), read_number(object, "adjusted_norm"),
          read<bool>(object, "undecided")};
}

DroppedFeature read_dropped(const json& object) {
  DroppedFeature feature{read<std::string>(object, "name"),
                         read_count(object, "index"),
                         read_number(object, "norm"),
                         read_number(object, "adjusted_norm"),
                         static_cast<int>(read_count(object, "stage")),
                         Reason::redundant,
                         false,
                         {}};
  if (!value_of(read<std::string>(object, "reason"), feature.reason)) {
    foreign("unknown \"reason\"");
  }
  if (object.contains("equation")) {
    feature.equations.push_back(read_equation(object.at("equation"), feature.name));
  } else if (object.contains("equations")) {
    feature.categorical = true;
    for (const json& entry : read_array(object, "equations")) {
      feature.equations.push_back(read_equation(entry, read<std::string>(entry, "indicator")));
    }
  }
  return feature;
}

StageReport read_stage(const json& object) {
  StageReport report;
  report.stage.depth = static_cast<int>(read_count(object, "depth"));
  if (!member(object, "group_size").is_null()) {
    report.stage.group_size = read_count(object, "group_size");
  }
  report.epsilon = read_number(object, "epsilon").value_or(0);
  if (!value_of(read<std::string>(object, "engine"), report.engine)) foreign("unknown \"engine\"");
  report.features = read_count(object, "features");
  report.kept = read_count(object, "kept");
  report.groups = read_count(object, "groups");
  report.parities = read_count(object, "parities");
  return report;
}

ParameterValue read_parameter(const json& value) {
  if (value.is_null()) return std::monostate{};
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array() && !value.empty() && value.front().is_number()) {
    return value.get<std::vector<double>>();
  }
  return value.get<std::vector<std::string>>();
}

std::vector<Parameter> read_parameters(const json& object) {
  std::vector<Parameter> parameters;
  if (!object.is_object()) foreign("\"parameters\" is not an object");
  for (const auto& [key, value] : object.items()) {
    try {
      parameters.push_back({key, read_parameter(value)});
    } catch (const json::exception&) {
      foreign(fmt::format("parameter \"{}\" has the wrong type", key));
    }
  }
  return parameters;
}

// Which version wrote it, and whether this one can read it.
void check_origin(const json& object) {
  if (!object.is_object()) foreign("it is not an object");
  const auto schema = read_count(object, "schema");
  (void)read<std::string>(object, "fsieve");
  if (schema != kSchema) {
    throw Error(fmt::format("written with schema {}, this version of fsieve reads schema {}",
                            schema, kSchema));
  }
  const auto command = read<std::string>(object, "command");
  if (command != "reduce") foreign(fmt::format("it is of \"{}\"", command));
}

ReduceResult read_result(const json& object) {
  check_origin(object);
  ReduceResult result;
  result.version = read<std::string>(object, "fsieve");
  result.method = read<std::string>(object, "method");
  result.parameters = read_parameters(member(object, "parameters"));
  const json& data = member(object, "data");
  result.source = read<std::string>(data, "source");
  result.rows = read_count(data, "rows");
  result.features = read_count(data, "features");
  if (data.contains("label")) result.label = read<std::string>(data, "label");
  for (const json& entry : read_array(object, "selected")) {
    result.selected.push_back(read_kept(entry));
  }
  for (const json& entry : read_array(object, "removed")) {
    result.removed.push_back(read_dropped(entry));
  }
  for (const json& entry : read_array(object, "stages")) {
    result.stages.push_back(read_stage(entry));
  }
  result.warnings = read<std::vector<std::string>>(object, "warnings");
  if (object.contains("timing")) {
    const json& timing = object.at("timing");
    result.timing = Timing{read<double>(timing, "read_s"), read<double>(timing, "fit_s"),
                           read<double>(timing, "total_s")};
  }
  return result;
}

}  // namespace

std::string to_json(const ReduceResult& result) {
  json object{{"fsieve", result.version},
              {"schema", kSchema},
              {"command", "reduce"},
              {"method", result.method}};
  json& parameters = object["parameters"] = json::object();
  for (const Parameter& entry : result.parameters) parameters[entry.key] = parameter(entry.value);
  object["data"] = {
      {"source", result.source}, {"rows", result.rows}, {"features", result.features}};
  if (result.label) object["data"]["label"] = *result.label;
  json& selected = object["selected"] = json::array();
  for (const KeptFeature& feature : result.selected) selected.push_back(kept_json(feature));
  json& removed = object["removed"] = json::array();
  for (const DroppedFeature& feature : result.removed) removed.push_back(dropped_json(feature));
  json& stages = object["stages"] = json::array();
  for (const StageReport& report : result.stages) stages.push_back(stage_json(report));
  object["warnings"] = result.warnings;
  if (result.timing) {
    object["timing"] = {{"read_s", result.timing->read_s},
                        {"fit_s", result.timing->fit_s},
                        {"total_s", result.timing->total_s}};
  }
  // Column names may be in any encoding; the output is UTF-8 all the same.
  return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

ReduceResult result_from_json(const std::string& text, const std::string& file) {
  try {
    json object;
    try {
      object = json::parse(text);
    } catch (const json::exception&) {
      throw Error("not a result of fsieve reduce (it is not JSON)");
    }
    return read_result(object);
  } catch (const Error& error) {
    throw Error(file + ": " + error.what());
  }
}

}  // namespace fsieve
