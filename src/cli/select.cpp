// fsieve select FILE --label COL -k K
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/input_table.h"
#include "cli/messages.h"
#include "cli/method_run.h"
#include "cli/output_files.h"
#include "cli/progress_bar.h"
#include "cli/stopwatch.h"
#include "explain/number_text.h"
#include "fsieve/sffs.h"
#include "options/data_options.h"
#include "options/method_options.h"
#include "options/parameters.h"

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
  const Stopwatch total;
  const std::string file = values.required("file");
  const SffsOptions method = sffs_options(values);
  const ReadOptions data = read_options(values);
  const std::optional<std::string> table = values.text("output");
  const std::optional<std::string> save = values.text("save");
  check_outputs(table, save);

  ProgressBar progress(values.given("quiet"));
  const Stopwatch reading;
  const InputTable input = open_input(file, data, progress);
  const Source& source = *input.source;
  Timing timing;
  timing.read_s = reading.seconds();

  const Stopwatch fitting;
  const SffsResult found = run_on(file, [&] { return sffs(source, method, progress); });
  timing.fit_s = fitting.seconds();

  SelectResult result = describe(found, source);
  result.source = file;
  result.parameters = select_parameters(method, data, found);
  result.warnings.insert(result.warnings.begin(), input.warnings.begin(), input.warnings.end());

  OutputFiles outputs;
  if (table) {
    outputs.table(*table, source, written_columns(selected_features(found), source.schema()),
                  progress);
  }
  timing.total_s = total.seconds();
  if (!values.given("no-timing")) result.timing = timing;
  if (save) outputs.text(*save, to_json(result));
  outputs.keep();

  warning_lines(result.warnings);
  if (method.task == Task::automatic) {
    note(values.given("quiet"), task_note(result, source.schema().label->kind));
  }
  summarise(
      fmt::format("{} of {} selected", result.selected.size(), counted(result.features, "feature")),
      values);
  print_result(result, values);
}

}  // namespace fsieve::cli
