// fsieve select FILE --label COL -k K
#include <fmt/format.h>

#include <utility>

#include "app/method_options.h"
#include "app/parameters.h"
#include "app/selection_manner_options.h"
#include "base/number_text.h"
#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/method_run.h"
#include "cli/work.h"
#include "fsieve/sffs.h"

namespace fsieve::cli {
namespace {

std::vector<std::size_t> selected_features(const SffsResult& found) {
  std::vector<std::size_t> features;
  features.reserve(found.selected.size());
  for (const RelevantFeature& feature : found.selected) features.push_back(feature.feature);
  return features;
}

// What was decided for the user is said to the user.
std::string task_note(const SelectResult& result, ColumnKind kind) {
  if (!result.classes) {
    return fmt::format("label \"{}\" is taken as a number (--task classification: as classes)",
                       result.label);
  }
  return fmt::format("label \"{}\" is taken as {} classes{}", result.label, result.classes->size(),
                     kind == ColumnKind::numeric ? " (--task regression: as a number)" : "");
}

}  // namespace

SelectWork::SelectWork(const OptionValues& values)
    : options_(sffs_options(values)),
      manner_(selection_manner(values)),
      asked_k_(values.required("k")) {
  // The report says how many features went, not why: only the full result has their equations.
  options_.equations = options_.equations && (values.given("json") || values.given("save"));
}

Worked<SelectResult> SelectWork::on(MethodRun& run) const {
  const SffsResult found = run.fit([&](const Source& source, Progress& progress) {
    return sffs(source, options_, manner_, progress);
  });
  SelectResult result = describe(found, run.source());
  result.parameters = select_parameters(options_, manner_, asked_k_, run.data(), found);
  return {std::move(result), selected_features(found)};
}

void select(const OptionValues& values) {
  const SelectWork work(values);
  MethodRun run(values);
  auto [result, features] = work.on(run);
  run.finish(result, std::move(features));
  if (!values.given("task")) {
    note(values.given("quiet"), task_note(result, run.source().schema().label->kind));
  }
  run.summarise(fmt::format("{} of {} selected", result.selected.size(),
                            counted(result.features, "feature")));
  print_result(std::move(result), run.prints_json());
}

}  // namespace fsieve::cli
