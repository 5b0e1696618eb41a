// fsieve reduce FILE
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/input_table.h"
#include "cli/messages.h"
#include "cli/method_run.h"
#include "cli/output_files.h"
#include "cli/progress_bar.h"
#include "cli/stopwatch.h"
#include "explain/number_text.h"
#include "options/data_options.h"
#include "options/method_options.h"
#include "options/parameters.h"

namespace fsieve::cli {
namespace {

std::vector<std::size_t> kept_features(const UffsResult& found) {
  std::vector<std::size_t> features;
  features.reserve(found.selected.size());
  for (const SelectedFeature& feature : found.selected) features.push_back(feature.feature);
  return features;
}

}  // namespace

void reduce(const OptionValues& values) {
  const Stopwatch total;
  const std::string file = values.required("file");
  const UffsOptions method = uffs_options(values);
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
  const UffsResult found = run_on(file, [&] { return uffs(source, method, progress); });
  timing.fit_s = fitting.seconds();

  ReduceResult result = describe(found, source);
  result.source = file;
  result.parameters = reduce_parameters(method, data, found.stages);
  result.warnings.insert(result.warnings.begin(), input.warnings.begin(), input.warnings.end());

  OutputFiles outputs;
  if (table) {
    outputs.table(*table, source, written_columns(kept_features(found), source.schema()), progress);
  }
  timing.total_s = total.seconds();
  if (!values.given("no-timing")) result.timing = timing;
  if (save) outputs.text(*save, to_json(result));
  outputs.keep();

  warning_lines(result.warnings);
  summarise(
      fmt::format("{} of {} kept", result.selected.size(), counted(result.features, "feature")),
      values);
  print_result(result, values);
}

}  // namespace fsieve::cli
