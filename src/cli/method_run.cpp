#include "cli/method_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/standard_output.h"
#include "cli/terminal.h"
#include "options/data_options.h"

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

}  // namespace

MethodRun::MethodRun(const OptionValues& values)
    : MethodRun(values, values.text("output"), values.text("save")) {}

MethodRun::MethodRun(const OptionValues& values, std::optional<std::string> table,
                     std::optional<std::string> save)
    : values_(values),
      file_(values.required("file")),
      data_(read_options(values)),
      table_(std::move(table)),
      save_(std::move(save)),
      progress_(values.given("quiet")) {
  check_outputs(table_, save_);
  const Stopwatch reading;
  input_ = open_input(file_, data_, progress_);
  timing_.read_s = reading.seconds();
}

void MethodRun::write_table_to(OutputFiles& outputs, std::vector<std::size_t> features) {
  if (!table_) return;
  const Schema& schema = source().schema();
  std::sort(features.begin(), features.end());
  if (schema.label) features.push_back(schema.features.size());
  outputs.table(*table_, source(), features, progress_);
}

void summarise(const std::string& summary, const OptionValues& values) {
  const bool said = !values.given("json") && stdout_is_terminal() && stderr_is_terminal();
  note(values.given("quiet") || said, summary);
}

void print_result(const SavedResult& result, const OptionValues& values) {
  write_stdout(values.given("json") ? to_json(result) : to_report(result, report_style()));
}

}  // namespace fsieve::cli
