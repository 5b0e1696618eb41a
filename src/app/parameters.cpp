#include "app/parameters.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "app/learn_options.h"
#include "app/method_options.h"
#include "app/value_text.h"
#include "methods/uffs/stages.h"
#include "report/result_names.h"

namespace fsieve::inline app {
namespace {

std::string name(std::string_view text) { return std::string(text); }

std::string missing_text(Missing missing) {
  switch (missing) {
    case Missing::error:
      return "error";
    case Missing::drop:
      return "drop";
    case Missing::mean:
      break;
  }
  return "mean";
}

// Automatic stages as they came out; "auto" where there was nothing to run them on.
std::string resolved_stages(const UffsOptions& method, const std::vector<StageReport>& reports) {
  if (!method.stages.empty()) return stages_text(method.stages);
  std::vector<Stage> stages;
  stages.reserve(reports.size());
  for (const StageReport& report : reports) stages.push_back(report.stage);
  return stages_text(stages);
}

// Automatic stages take their value by depth; only those that were run are told.
std::vector<double> resolved_values(const UffsOptions& method, const std::vector<double>& values,
                                    const std::vector<StageReport>& reports) {
  if (!method.stages.empty() || values.size() <= 1 || reports.empty()) return values;
  std::vector<double> resolved;
  resolved.reserve(reports.size());
  for (const StageReport& report : reports) {
    resolved.push_back(values.at(static_cast<std::size_t>(report.stage.depth) - 1));
  }
  return resolved;
}

template <typename T>
ParameterValue or_none(const std::optional<T>& value) {
  if (!value) return std::monostate{};
  return *value;
}

// As it was given: a number of rows, or all.
ParameterValue sample_value(std::size_t sample) {
  if (sample == automatic_sample) return std::monostate{};
  if (sample == every_row) return std::string("all");
  return std::uint64_t{sample};
}

// Those of reading, the same for all commands.
void append_data(std::vector<Parameter>& parameters, const ReadOptions& data) {
  std::optional<std::string> delimiter;
  if (data.delimiter) delimiter = *data.delimiter == '\t' ? "\\t" : std::string(1, *data.delimiter);
  std::optional<std::string> decimal;
  if (data.decimal) decimal = std::string(1, *data.decimal);
  std::optional<std::string> rows;
  if (data.first_row != 1 || data.last_row != UINT64_MAX) {
    rows = rows_text({data.first_row, data.last_row});
  }
  const std::vector<Parameter> all{{"label", or_none(data.label)},
                                   {"columns", data.columns},
                                   {"exclude", data.exclude},
                                   {"categorical", data.categorical},
                                   {"use", data.use},
                                   {"missing", missing_text(data.missing)},
                                   {"na", data.na},
                                   {"delimiter", or_none(delimiter)},
                                   {"decimal", or_none(decimal)},
                                   {"header", or_none(data.header)},
                                   {"rows", or_none(rows)}};
  parameters.insert(parameters.end(), all.begin(), all.end());
}

std::vector<Parameter> greedy_parameters(const GreedyOptions& method, const Parameter& threshold,
                                         const ReadOptions& data) {
  std::vector<std::string> functions;
  functions.reserve(method.family.functions.size());
  for (const UserFunction& function : method.family.functions) functions.push_back(function.text);
  std::vector<Parameter> parameters{
      {"family", family_text(method.family)},
      {"function", functions},
      threshold,
      {"k", method.k ? ParameterValue(std::uint64_t{*method.k}) : ParameterValue()},
      {"scale", name(method.scale == Scale::standard ? "standard" : "none")},
      {"constant", method.family.constant},
      {"engine", name(name_of(method.engine))},
      {"equations", method.equations}};
  append_data(parameters, data);
  return parameters;
}

std::vector<std::string> group_texts(const SffsOptions& method) {
  std::vector<std::string> texts;
  for (const FeatureGroup& group : method.groups) {
    texts.push_back(fmt::format("{}={}", group.name, fmt::join(group.columns, ",")));
  }
  return texts;
}

std::vector<std::string> cost_texts(const SffsOptions& method) {
  std::vector<std::string> texts;
  for (const FeatureCost& cost : method.costs) {
    texts.push_back(fmt::format("{}={}", cost.name, cost.cost));
  }
  return texts;
}

std::string reduction_text(const SffsOptions& method, const SffsResult& found) {
  if (!method.reduce) return "none";
  UffsOptions first;
  first.stages = *method.reduce;
  return resolved_stages(first, found.reduced ? found.reduced->stages : std::vector<StageReport>{});
}

}  // namespace

std::vector<Parameter> reduce_parameters(const UffsOptions& method, const ReadOptions& data,
                                         const std::vector<StageReport>& stages, bool relations) {
  std::vector<Parameter> parameters{
      {"stages", resolved_stages(method, stages)},
      {"epsilon", resolved_values(method, method.epsilon, stages)},
      {"rule", rule_text({method.rule, resolved_values(method, method.share, stages)})},
      {"order", name(name_of(effective_order(method)))},
      {"groups", name(name_of(effective_groups(method)))},
      {"prune", method.prune},
      {"engine", name(name_of(method.engine))},
      {"equations", method.equations},
      {"relations", relations},
      {"max_terms", std::uint64_t{method.max_terms}},
      {"protect", method.protect},
      {"clusters", or_none(method.clusters)},
      {"sample", sample_value(method.sample)}};
  append_data(parameters, data);
  parameters.push_back({"seed", method.seed});
  return parameters;
}

std::vector<Parameter> reduce_parameters(const GfsOptions& method, const ReadOptions& data) {
  return greedy_parameters(method, {"epsilon2", method.epsilon2}, data);
}

std::vector<Parameter> reduce_parameters(const GfaOptions& method, const ReadOptions& data) {
  return greedy_parameters(method, {"delta", method.delta}, data);
}

std::vector<Parameter> select_parameters(const SffsOptions& method, std::string_view asked_k,
                                         const ReadOptions& data, const SffsResult& found) {
  std::vector<Parameter> parameters{
      {"k", method.k ? ParameterValue(std::uint64_t{*method.k}) : ParameterValue(name(asked_k))},
      {"depth", static_cast<std::uint64_t>(method.depth)},
      {"search", search_text({method.search, method.beam})},
      {"score", name(name_of(method.score))},
      {"reduce", reduction_text(method, found)},
      {"equations", method.equations},
      {"bins", method.bins > 0 ? ParameterValue(std::uint64_t{method.bins}) : ParameterValue()},
      {"shape", name(method.shape == Shape::plain ? "plain" : "curve")},
      {"class_weight", method.balanced ? ParameterValue(name("balanced")) : ParameterValue()},
      {"robust", method.robust},
      {"keep", method.keep},
      {"adjust", method.adjust},
      {"group", group_texts(method)},
      {"cost", cost_texts(method)},
      {"stability", std::uint64_t{method.stability}},
      {"ranking", method.ranking},
      {"task", name(found.classes ? "classification" : "regression")},
      {"top", std::uint64_t{method.top}},
      {"alpha", method.alpha},
      {"permutations", std::uint64_t{method.permutations}},
      {"scan_limit", method.scan_limit},
      {"sample", sample_value(method.sample)},
      {"delta", method.delta},
      {"folds", std::uint64_t{method.folds}}};
  append_data(parameters, data);
  parameters.push_back({"seed", method.seed});
  return parameters;
}

std::vector<Parameter> learn_parameters(const JuntaOptions& method, const ReadOptions& data) {
  std::vector<Parameter> parameters{
      {"k", std::uint64_t{method.k}},
      {"learner", name(name_of(method.learner))},
      {"basis", name(name_of(basis_of(method)))},
      {"search", junta_search_text(method)},
      {"binarize",
       method.binarize == Cut::none ? ParameterValue() : ParameterValue(cut_text(method))},
      {"class_weight", method.class_weights.any()
                           ? ParameterValue(class_weight_text(method.class_weights))
                           : ParameterValue()},
      {"top", std::uint64_t{method.top}},
      {"permutations", std::uint64_t{method.permutations}}};
  append_data(parameters, data);
  parameters.push_back({"seed", method.seed});
  return parameters;
}

}  // namespace fsieve::app
