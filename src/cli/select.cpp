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

void select(const OptionValues& values) {
  SffsOptions method = sffs_options(values);
  // The report says how many features went, not why: only the full result has their equations.
  method.equations = method.equations && (values.given("json") || values.given("save"));
  const SelectionManner manner = selection_manner(values);
  MethodRun run(values);
  const SffsResult found = run.fit([&](const Source& source, Progress& progress) {
    return sffs(source, method, manner, progress);
  });
  SelectResult result = describe(found, run.source());
  result.parameters = select_parameters(method, manner, values.required("k"), run.data(), found);
  run.finish(result, selected_features(found));
  if (method.task == Task::automatic) {
    note(values.given("quiet"), task_note(result, run.source().schema().label->kind));
  }
  run.summarise(fmt::format("{} of {} selected", result.selected.size(),
                            counted(result.features, "feature")));
  print_result(std::move(result), run.prints_json());
}

}  // namespace fsieve::cli
