// fsieve reduce FILE
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/input_table.h"
#include "cli/messages.h"
#include "cli/output_files.h"
#include "cli/progress_bar.h"
#include "cli/reduce_run.h"
#include "cli/stopwatch.h"
#include "cli/terminal.h"
#include "explain/number_text.h"
#include "fsieve/error.h"
#include "options/data_options.h"
#include "options/method_options.h"
#include "options/parameters.h"

namespace fsieve::cli {
namespace {

void check_outputs(const std::optional<std::string>& table,
                   const std::optional<std::string>& save) {
  if (table && save && *table == *save) {
    throw Error(fmt::format("-o and --save both name {}", *table), Error::Kind::usage);
  }
  if (table) check_table_name(*table);
  if (table) check_folder(*table);
  if (save) check_folder(*save);
}

// What the method finds wrong is wrong with the file; errors of reading already say so.
UffsResult run_method(const Source& source, const UffsOptions& method, const std::string& file,
                      Progress& progress) {
  try {
    return uffs(source, method, progress);
  } catch (const Error& error) {
    const std::string name = file == "-" ? "standard input" : file;
    const std::string_view message = error.what();
    if (error.kind() != Error::Kind::data || message.starts_with(name + ":")) throw;
    throw Error(fmt::format("{}: {}", name, message));
  }
}

// On a terminal the report's first line already says it.
void summarise(const ReduceResult& result, const OptionValues& values) {
  const bool said = !values.given("json") && stdout_is_terminal() && stderr_is_terminal();
  note(values.given("quiet") || said,
       fmt::format("{} of {} kept", result.selected.size(), counted(result.features, "feature")));
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
  const auto [source, warnings] = open_input(file, data, progress);
  Timing timing;
  timing.read_s = reading.seconds();

  const Stopwatch fitting;
  const UffsResult found = run_method(*source, method, file, progress);
  timing.fit_s = fitting.seconds();

  ReduceResult result = describe(found, *source);
  result.source = file;
  result.parameters = reduce_parameters(method, data, found.stages);
  result.warnings.insert(result.warnings.begin(), warnings.begin(), warnings.end());

  OutputFiles outputs;
  if (table) outputs.table(*table, *source, reduced_columns(found, source->schema()), progress);
  timing.total_s = total.seconds();
  if (!values.given("no-timing")) result.timing = timing;
  if (save) outputs.text(*save, to_json(result));
  outputs.keep();

  warning_lines(result.warnings);
  summarise(result, values);
  print_result(result, values);
}

}  // namespace fsieve::cli
