#include "report/result_fields.h"

#include <cmath>
#include <limits>
#include <utility>

#include "base/json_text.h"
#include "fsieve/error.h"
#include "report/result_names.h"
namespace fsieve {
namespace {

json parameter_json(const ParameterValue& value) {
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

json term_json(const Term& term) {
  json object{{"coefficient", number_json(term.coefficient)}, {"factors", term.factors}};
  if (!term.powers.empty()) object["powers"] = term.powers;
  return object;
}

json equation_json(const Equation& equation) {
  json terms = json::array();
  for (const Term& term : equation.terms) {
    terms.push_back(term_json(term));
  }
  json object{{"text", to_text(equation)},
              {"r2", number_json(equation.r2)},
              {"r2_fit", number_json(equation.r2_fit)}};
  object["terms"] = std::move(terms);
  return object;
}

json dropped_json(const RemovedFeature& feature) {
  json object{{"name", feature.name},
              {"index", feature.index},
              {"norm", number_json(feature.norm)},
              {"adjusted_norm", number_json(feature.adjusted_norm)},
              {"stage", feature.stage},
              {"reason", name_of(feature.reason)}};
  put_equations(object, feature);
  return object;
}

Equation read_equation(const json& object, const std::string& target) {
  Equation equation;
  equation.target = target;
  equation.r2 = read_number(object, "r2").value_or(0);
  // Results of schema 1 have that of the fit alone.
  equation.r2_fit =
      object.contains("r2_fit") ? read_number(object, "r2_fit").value_or(0) : equation.r2;
  for (const json& term : read_array(object, "terms")) {
    Term& held = equation.terms.emplace_back();
    held.coefficient = read_number(term, "coefficient").value_or(0);
    held.factors = read<std::vector<std::string>>(term, "factors");
    if (!term.contains("powers")) continue;
    held.powers = read<std::vector<double>>(term, "powers");
    if (held.powers.size() != held.factors.size()) not_a_result("not one of \"powers\" per factor");
  }
  return equation;
}

RemovedFeature read_dropped(const json& object) {
  RemovedFeature feature;
  read_removal(object, feature);
  feature.norm = read_or_nan(object, "norm");
  feature.adjusted_norm = read_number(object, "adjusted_norm");
  feature.stage = read_small_count(object, "stage");
  return feature;
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

// Which version wrote it, and whether this one can read it.
void check_origin(const json& object) {
  if (!object.is_object()) not_a_result("it is not an object");
  const auto schema = read_count(object, "schema");
  (void)read<std::string>(object, "fsieve");
  check_schema_number(schema);
}

SavedResult read_result(const json& object) {
  check_origin(object);
  const auto command = read<std::string>(object, "command");
  if (command == "reduce") {
    if (read<std::string>(object, "method") == "uffs") return read_reduce(object);
    return read_greedy(object);
  }
  if (command == "select") return read_select(object);
  not_a_result(fmt::format("it is of \"{}\"", command));
}

}  // namespace

json report::number_json(std::optional<double> value) {
  return value && std::isfinite(*value) ? json(*value) : json(nullptr);
}

json report::parameters_json(const std::vector<Parameter>& parameters) {
  json object = json::object();
  for (const Parameter& entry : parameters) object[entry.key] = parameter_json(entry.value);
  return object;
}

json report::removed_json(const std::vector<RemovedFeature>& removed) {
  json array = json::array();
  for (const RemovedFeature& feature : removed) array.push_back(dropped_json(feature));
  return array;
}

void report::put_equations(json& object, bool categorical, const std::vector<Equation>& equations) {
  if (categorical) {
    object["equations"] = json::array();
    for (const Equation& equation : equations) {
      // Which indicator the equation is of is not clear from the column's name.
      json entry{{"indicator", equation.target}};
      entry.update(equation_json(equation));
      object["equations"].push_back(std::move(entry));
    }
  } else if (!equations.empty()) {
    object["equation"] = equation_json(equations.front());
  }
}

json report::relations_json(const std::vector<Equation>& relations) {
  json array = json::array();
  for (const Equation& relation : relations) {
    json entry{{"target", relation.target}};
    entry.update(equation_json(relation));
    array.push_back(std::move(entry));
  }
  return array;
}

json report::ignored_json(const std::vector<IgnoredColumn>& ignored) {
  json array = json::array();
  for (const IgnoredColumn& column : ignored) {
    array.push_back(
        {{"name", column.name}, {"index", column.index}, {"reason", name_of(column.reason)}});
  }
  return array;
}

json report::timing_json(const Timing& timing) {
  return {{"read_s", timing.read_s}, {"fit_s", timing.fit_s}, {"total_s", timing.total_s}};
}

std::string report::dumped(const json& object) {
  return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

void report::check_schema_number(std::size_t schema) {
  if (schema >= oldest_json_schema && schema <= json_schema) return;
  throw Error(fmt::format("written with schema {}, this version of fsieve reads schemas {} to {}",
                          schema, oldest_json_schema, json_schema));
}

void report::not_a_result(const std::string& where) {
  throw Error("not a result of fsieve reduce or select (" + where + ")");
}

const json& report::member(const json& object, const char* key) {
  if (!object.is_object() || !object.contains(key))
    not_a_result(fmt::format("\"{}\" is missing", key));
  return object.at(key);
}

const json& report::read_array(const json& object, const char* key) {
  const json& array = member(object, key);
  if (!array.is_array()) not_a_result(fmt::format("\"{}\" is not an array", key));
  return array;
}

std::size_t report::read_count(const json& object, const char* key) {
  if (!member(object, key).is_number_unsigned()) {
    not_a_result(fmt::format("\"{}\" is not a count", key));
  }
  return read<std::size_t>(object, key);
}

int report::read_small_count(const json& object, const char* key) {
  const std::size_t count = read_count(object, key);
  if (count > std::numeric_limits<int>::max()) {
    not_a_result(fmt::format("\"{}\" is too large", key));
  }
  return static_cast<int>(count);
}

std::optional<double> report::read_number(const json& object, const char* key) {
  if (member(object, key).is_null()) return std::nullopt;
  return read<double>(object, key);
}

double report::read_or_nan(const json& object, const char* key) {
  return read_number(object, key).value_or(std::nan(""));
}

Reason report::read_reason(const json& object) {
  Reason reason = Reason::redundant;
  if (!value_of(read<std::string>(object, "reason"), reason)) not_a_result("unknown \"reason\"");
  return reason;
}

std::vector<Parameter> report::read_parameters(const json& object) {
  std::vector<Parameter> parameters;
  const json& held = member(object, "parameters");
  if (!held.is_object()) not_a_result("\"parameters\" is not an object");
  for (const auto& [key, value] : held.items()) {
    try {
      parameters.push_back({key, read_parameter(value)});
    } catch (const json::exception&) {
      not_a_result(fmt::format("parameter \"{}\" has the wrong type", key));
    }
  }
  return parameters;
}

std::vector<RemovedFeature> report::read_removed(const json& object) {
  std::vector<RemovedFeature> removed;
  for (const json& entry : read_array(object, "removed")) removed.push_back(read_dropped(entry));
  return removed;
}

std::vector<Equation> report::read_equations(const json& object, const std::string& name,
                                             bool& categorical) {
  std::vector<Equation> equations;
  categorical = false;
  if (object.contains("equation")) {
    equations.push_back(read_equation(object.at("equation"), name));
  } else if (object.contains("equations")) {
    categorical = true;
    for (const json& entry : read_array(object, "equations")) {
      equations.push_back(read_equation(entry, read<std::string>(entry, "indicator")));
    }
  }
  return equations;
}

std::optional<std::vector<Equation>> report::read_relations(const json& object) {
  if (!object.contains("relations")) return std::nullopt;
  std::vector<Equation> relations;
  for (const json& entry : read_array(object, "relations")) {
    relations.push_back(read_equation(entry, read<std::string>(entry, "target")));
  }
  return relations;
}

std::vector<IgnoredColumn> report::read_ignored(const json& object) {
  std::vector<IgnoredColumn> ignored;
  if (!object.contains("ignored")) return ignored;
  for (const json& entry : read_array(object, "ignored")) {
    IgnoredColumn& column = ignored.emplace_back();
    column.name = read<std::string>(entry, "name");
    column.index = read_count(entry, "index");
    if (!value_of(read<std::string>(entry, "reason"), column.reason)) {
      not_a_result("unknown \"reason\"");
    }
  }
  return ignored;
}

std::optional<Timing> report::read_timing(const json& object) {
  if (!object.contains("timing")) return std::nullopt;
  const json& timing = object.at("timing");
  return Timing{read<double>(timing, "read_s"), read<double>(timing, "fit_s"),
                read<double>(timing, "total_s")};
}

std::string to_json(const SavedResult& result) {
  return std::visit([](const auto& held) { return to_json(held); }, result);
}

SavedResult result_from_json(const std::string& text, const std::string& file) {
  try {
    json object;
    try {
      object = json_in(text);
    } catch (const Error& problem) {
      not_a_result(problem.what());
    }
    return read_result(object);
  } catch (const Error& error) {
    throw error.in(file);
  }
}

}  // namespace fsieve
