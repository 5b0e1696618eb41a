#include "cli/method_run.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "app/data_options.h"
#include "cli/messages.h"
#include "cli/standard_output.h"
#include "cli/terminal.h"
#include "io/file_format.h"

namespace fsieve::cli {

namespace {

bool goes_to_standard_output(const std::optional<OutputFile>& output) {
  return output && is_standard_output(output->path);
}

}  // namespace

std::optional<OutputFile> output_file(const OptionValues& values, std::string_view name,
                                      std::string_view option, Holds holds) {
  const auto path = values.text(name);
  if (!path) return std::nullopt;
  return OutputFile{option, *path, holds};
}

MethodRun::MethodRun(const OptionValues& values, const ReadOptions& data)
    : MethodRun(values, data, output_file(values, "output", "-o", Holds::table),
                output_file(values, "save", "--save", Holds::json)) {}

MethodRun::MethodRun(const OptionValues& values, const ReadOptions& data,
                     const std::optional<OutputFile>& table,
                     const std::optional<OutputFile>& result)
    : values_(values),
      json_(values.given("json") || goes_to_standard_output(result)),
      progress_(values.given("quiet")),
      record_(values.required("file"), run_context(values, progress_)) {
  std::vector<OutputFile> outputs;
  if (table) {
    table_ = table->path;
    outputs.push_back(*table);
  }
  if (result && !goes_to_standard_output(result)) {
    result_ = result->path;
    outputs.push_back(*result);
  }
  if (const auto ranking = output_file(values, "table", "--table", Holds::ranking)) {
    ranking_ = ranking->path;
    outputs.push_back(*ranking);
  }
  check_outputs(outputs, {{record_.table()}});
  InputTable input =
      record_.reading([&] { return open_table(record_.table(), data, record_.context()); });
  source_ = std::move(input.source);
  record_.warnings = std::move(input.warnings);
}

AnyReport MethodRun::run(const Request& request) {
  return on_file([&] { return app::run(request, source(), record_); });
}

void MethodRun::write(AnyReport& report) {
  OutputFiles outputs;
  write_table_to(outputs, report.columns());
  if (!values_.given("no-timing")) add_timing(report, record_);
  if (result_) outputs.text(*result_, to_json(report));
  if (ranking_) {
    const char delimiter = io::data_extension(*ranking_) == "csv" ? ',' : '\t';
    outputs.text(*ranking_, ranking_table(std::get<Report<SffsResult>>(report.result), delimiter));
  }
  commit(outputs);
  warning_lines(report.warnings());
}

void MethodRun::print(const AnyReport& report) const {
  const bool summary_shown = !json_ && stdout_is_terminal() && stderr_is_terminal();
  note(values_.given("quiet") || summary_shown, report.summary());
  write_stdout(json_ ? to_json(report) : to_report(report, report_style()));
}

void MethodRun::write_table_to(OutputFiles& outputs, std::set<std::size_t> wanted) {
  if (!table_) return;
  const Schema& schema = source().schema();
  if (!holds_numbers_only(*table_)) {
    for (const IgnoredColumn& column : schema.ignored) wanted.insert(column.index);
  }
  const auto file = beside_file(source(), source(), {});
  std::vector<std::size_t> columns;
  std::optional<std::size_t> label;
  const std::vector<Column>& all = file->schema().features;
  for (std::size_t j = 0; j < all.size(); ++j) {
    if (wanted.count(all[j].index) > 0) columns.push_back(j);
    if (schema.label && schema.label->index == all[j].index) label = j;
  }
  if (label) columns.push_back(*label);
  outputs.table(*table_, *file, columns, progress_);
}

}  // namespace fsieve::cli
