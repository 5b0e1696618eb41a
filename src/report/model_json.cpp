// Models as JSON. Every complaint of the reader is an Error that says where in the object it is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/json_text.h"
#include "fsieve/error.h"
#include "fsieve/model.h"
#include "report/result_fields.h"

namespace fsieve {
namespace {

[[noreturn]] void damaged(const std::string& where) {
  throw Error("not a model of fsieve learn (" + where + ")");
}

json value_json(const ColumnValue& value) {
  return std::visit([](const auto& held) -> json { return held; }, value);
}

json feature_json(const ModelFeature& feature) {
  json object{{"name", feature.name},           {"index", feature.index},
              {"low", value_json(feature.low)}, {"high", value_json(feature.high)},
              {"mean", feature.mean},           {"std", feature.deviation}};
  if (feature.threshold) object["threshold"] = *feature.threshold;
  if (feature.level) {
    object["column"] = feature.column;
    object["level"] = *feature.level;
    object["levels"] = feature.levels;
  }
  if (feature.pooled) object["pooled"] = *feature.pooled;
  return object;
}

json cell_json(const Model& model, const ModelCell& cell) {
  json values = json::object();
  for (std::size_t k = 0; k < model.features.size(); ++k) {
    const ModelFeature& feature = model.features[k];
    values[feature.name] = value_json(cell.high[k] ? feature.high : feature.low);
  }
  json object{{"cell", std::move(values)}};
  object["count"] = cell.count;
  object["positive"] = cell.positive;
  object["value"] = number_json(cell.value);
  object["prediction"] = model.classes[cell.prediction ? 1 : 0];
  return object;
}

json shuffles_json(const ShuffleTest& test) {
  return {{"permutations", test.permutations},
          {"as_good", test.as_good},
          {"median", number_json(test.median)},
          {"largest", number_json(test.largest)}};
}

// The reader.

const json& part(const json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) damaged(fmt::format("\"{}\" is missing", key));
  return object.at(key);
}

template <typename T>
T get(const json& object, const char* key) {
  try {
    return part(object, key).get<T>();
  } catch (const json::exception&) {
    damaged(fmt::format("\"{}\" has the wrong type", key));
  }
}

double get_number(const json& object, const char* key) {
  if (!part(object, key).is_number()) damaged(fmt::format("\"{}\" is not a number", key));
  return get<double>(object, key);
}

std::uint64_t get_count(const json& object, const char* key) {
  if (!part(object, key).is_number_unsigned()) damaged(fmt::format("\"{}\" is not a count", key));
  return get<std::uint64_t>(object, key);
}

const json& get_array(const json& object, const char* key) {
  if (!part(object, key).is_array()) damaged(fmt::format("\"{}\" is not an array", key));
  return part(object, key);
}

ColumnValue get_value(const json& object, const char* key) {
  const json& value = part(object, key);
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) damaged(fmt::format("\"{}\" is neither number nor text", key));
  return value.get<std::string>();
}

template <typename Enum>
Enum get_name(const json& parameters, const char* key, std::initializer_list<Enum> known) {
  const auto name = get<std::string>(parameters, key);
  for (const Enum value : known) {
    if (name_of(value) == name) return value;
  }
  damaged(fmt::format("unknown {} \"{}\"", key, name));
}

ModelFeature read_feature(const json& object) {
  ModelFeature feature;
  feature.name = get<std::string>(object, "name");
  if (object.contains("index")) feature.index = get_count(object, "index");
  feature.low = get_value(object, "low");
  feature.high = get_value(object, "high");
  feature.mean = get_number(object, "mean");
  feature.deviation = get_number(object, "std");
  if (!(feature.deviation > 0)) damaged("\"std\" is not above 0");
  if (object.contains("threshold")) feature.threshold = get_number(object, "threshold");
  feature.column = feature.name;
  if (object.contains("level")) {
    feature.column = get<std::string>(object, "column");
    feature.level = get<std::string>(object, "level");
    feature.levels = get<std::vector<std::string>>(object, "levels");
  }
  if (object.contains("pooled")) feature.pooled = get<std::string>(object, "pooled");
  if (feature.low == feature.high) damaged("a feature has equal values");
  return feature;
}

ModelCell read_cell(const Model& model, const json& object) {
  ModelCell cell;
  const json& values = part(object, "cell");
  for (const ModelFeature& feature : model.features) {
    const ColumnValue value = get_value(values, feature.name.c_str());
    if (value != feature.low && value != feature.high) {
      damaged(fmt::format("a cell has no value of \"{}\"", feature.name));
    }
    cell.high.push_back(value == feature.high);
  }
  cell.count = get_count(object, "count");
  cell.positive = get_count(object, "positive");
  cell.value = get_number(object, "value");
  const auto prediction = get<std::string>(object, "prediction");
  if (prediction != model.classes[0] && prediction != model.classes[1]) {
    damaged(fmt::format("a cell predicts \"{}\", which is no class", prediction));
  }
  cell.prediction = prediction == model.classes[1];
  if (cell.positive > cell.count) damaged("a cell has more positive rows than rows");
  return cell;
}

void read_table(Model& model, const json& object) {
  const json& table = part(object, "table");
  if (model.learner == Learner::low_degree) {
    if (!table.is_null()) damaged("a low-degree model has no table");
    return;
  }
  if (!table.is_array()) damaged("\"table\" is not an array");
  std::set<std::vector<bool>> cells;
  for (const json& entry : table) {
    model.table.push_back(read_cell(model, entry));
    cells.insert(model.table.back().high);
  }
  const std::size_t wanted = std::size_t{1} << model.features.size();
  if (model.table.size() != wanted || cells.size() != wanted) {
    damaged(fmt::format("\"table\" has not each of its {} cells once", wanted));
  }
}

std::vector<std::string> known_names(const Model& model, const json& object, const char* key) {
  auto names = get<std::vector<std::string>>(object, key);
  for (const std::string& name : names) {
    const bool known = std::any_of(model.features.begin(), model.features.end(),
                                   [&](const ModelFeature& f) { return f.name == name; });
    if (!known) damaged(fmt::format(R"("{}" names "{}", which is no feature)", key, name));
  }
  return names;
}

std::optional<ShuffleTest> read_shuffles(const json& object) {
  if (!object.contains("shuffled")) return std::nullopt;
  const json& found = part(object, "shuffled");
  ShuffleTest test;
  test.permutations = get_count(found, "permutations");
  test.as_good = get_count(found, "as_good");
  if (test.as_good > test.permutations) damaged("more shuffles are as good than there are");
  test.median = get_number(found, "median");
  test.largest = get_number(found, "largest");
  return test;
}

Candidate read_candidate(const json& object) {
  Candidate candidate;
  candidate.features = get<std::vector<std::string>>(object, "features");
  candidate.score = get_number(object, "score");
  if (!object.contains("indices")) return candidate;
  for (const json& index : get_array(object, "indices")) {
    if (!index.is_number_unsigned()) damaged("an index of a candidate is not a count");
    candidate.indices.push_back(index.get<std::size_t>());
  }
  if (candidate.indices.size() != candidate.features.size()) {
    damaged(R"("indices" and "features" of a candidate do not agree)");
  }
  return candidate;
}

void read_label(Model& model, const json& object) {
  const json& label = part(object, "label");
  model.label = get<std::string>(label, "name");
  const auto classes = get<std::vector<std::string>>(label, "classes");
  if (classes.size() != 2 || classes[0] == classes[1]) damaged("there are not two classes");
  model.classes = {classes[0], classes[1]};
  if (!label.contains("weights")) return;
  const auto weights = get<std::vector<double>>(label, "weights");
  if (weights.size() != 2 || !(weights[0] > 0) || !(weights[1] > 0)) {
    damaged(R"("weights" are not those of two classes)");
  }
  model.class_weights = {weights[0], weights[1]};
}

Model read_model(const json& object) {
  if (!object.is_object()) damaged("it is not an object");
  if (!object.contains("kind") || object.at("kind") != "model") {
    damaged(R"(its "kind" is not "model")");
  }
  check_schema_number(get_count(object, "schema"));
  Model model;
  model.version = get<std::string>(object, "fsieve");
  const json& parameters = part(object, "parameters");
  model.learner =
      get_name(parameters, "learner", {Learner::fourier, Learner::low_degree, Learner::erm});
  model.basis = get_name(parameters, "basis", {Basis::product, Basis::correlated});
  model.parameters = read_parameters(object);
  const json& data = part(object, "data");
  model.source = get<std::string>(data, "source");
  model.rows = get_count(data, "rows");
  model.feature_count = get_count(data, "features");
  read_label(model, object);
  for (const json& entry : get_array(object, "features")) {
    model.features.push_back(read_feature(entry));
  }
  model.subset = known_names(model, object, "subset");
  if (model.subset.empty() || model.subset.size() != model.features.size()) {
    damaged(R"("subset" and "features" do not agree)");
  }
  for (std::size_t k = 0; k < model.subset.size(); ++k) {
    if (model.subset[k] != model.features[k].name) {
      damaged(R"("subset" and "features" do not agree)");
    }
  }
  if (model.learner != Learner::low_degree && model.subset.size() > 16) {
    damaged("its table would be too large");
  }
  model.score = get_number(object, "score");
  model.training_error = get_number(object, "training_error");
  if (object.contains("weighted_error")) {
    model.weighted_error = get_number(object, "weighted_error");
  }
  model.shuffled = read_shuffles(object);
  if (object.contains("subsets_scored")) model.subsets = get_count(object, "subsets_scored");
  for (const json& entry : get_array(object, "candidates")) {
    model.candidates.push_back(read_candidate(entry));
  }
  for (const json& entry : get_array(object, "coefficients")) {
    model.coefficients.push_back(
        {known_names(model, entry, "features"), get_number(entry, "value")});
  }
  read_table(model, object);
  if (!part(object, "formula").is_null()) model.formula = get<std::string>(object, "formula");
  model.ignored = read_ignored(object);
  if (object.contains("warnings")) {
    model.warnings = get<std::vector<std::string>>(object, "warnings");
  }
  model.timing = read_timing(object);
  return model;
}

}  // namespace

std::string_view name_of(Learner learner) {
  switch (learner) {
    case Learner::fourier:
      return "fourier";
    case Learner::low_degree:
      return "low-degree";
    case Learner::erm:
      break;
  }
  return "erm";
}

std::string_view name_of(Basis basis) { return basis == Basis::product ? "product" : "correlated"; }

// The constant's coefficient is the mean of the ±1 label, whatever the basis.
bool Model::majority() const {
  for (const Coefficient& coefficient : coefficients) {
    if (coefficient.features.empty()) return coefficient.value >= 0;
  }
  return true;
}

std::string to_json(const Model& model) {
  json object{
      {"fsieve", model.version}, {"schema", json_schema}, {"command", "learn"}, {"kind", "model"}};
  object["parameters"] = parameters_json(model.parameters);
  object["data"] = {
      {"source", model.source}, {"rows", model.rows}, {"features", model.feature_count}};
  object["label"] = {{"name", model.label}, {"classes", model.classes}};
  if (model.class_weights) object["label"]["weights"] = *model.class_weights;
  object["subset"] = model.subset;
  object["score"] = number_json(model.score);
  object["training_error"] = model.training_error;
  if (model.weighted_error) object["weighted_error"] = *model.weighted_error;
  object["p_value"] = model.shuffled ? json(model.shuffled->p_value()) : json(nullptr);
  if (model.shuffled) object["shuffled"] = shuffles_json(*model.shuffled);
  object["formula"] = model.formula ? json(*model.formula) : json(nullptr);
  object["subsets_scored"] = model.subsets;
  json& candidates = object["candidates"] = json::array();
  for (const Candidate& subset : model.candidates) {
    json entry{{"features", subset.features}};
    if (!subset.indices.empty()) entry["indices"] = subset.indices;
    entry["score"] = number_json(subset.score);
    candidates.push_back(std::move(entry));
  }
  json& features = object["features"] = json::array();
  for (const ModelFeature& feature : model.features) features.push_back(feature_json(feature));
  json& coefficients = object["coefficients"] = json::array();
  for (const Coefficient& coefficient : model.coefficients) {
    json entry{{"features", coefficient.features}};
    entry["value"] = coefficient.value;
    coefficients.push_back(std::move(entry));
  }
  json& table = object["table"] = nullptr;
  if (model.learner != Learner::low_degree) {
    table = json::array();
    for (const ModelCell& cell : model.table) table.push_back(cell_json(model, cell));
  }
  object["ignored"] = ignored_json(model.ignored);
  object["warnings"] = model.warnings;
  if (model.timing) object["timing"] = timing_json(*model.timing);
  return dumped(object);
}

bool is_model(const std::string& text) {
  try {
    const json object = json_in(text);
    return object.is_object() && object.contains("kind") && object.at("kind") == "model";
  } catch (const Error&) {
    return false;
  }
}

Model model_from_json(const std::string& text, const std::string& file) {
  try {
    json object;
    try {
      object = json_in(text);
    } catch (const Error& problem) {
      damaged(problem.what());
    }
    return read_model(object);
  } catch (const Error& error) {
    throw error.in(file);
  }
}

}  // namespace fsieve
