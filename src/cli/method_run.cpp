#include "cli/method_run.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "app/data_options.h"
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

MethodRun::MethodRun(const OptionValues& values)
    : MethodRun(values, output_file(values, "output", "-o", Holds::table),
                output_file(values, "save", "--save", Holds::json)) {}

MethodRun::MethodRun(const OptionValues& values, const std::optional<OutputFile>& table,
                     const std::optional<OutputFile>& result)
    : values_(values),
      file_(values.required("file")),
      data_(read_options(values)),
      json_(values.given("json") || goes_to_standard_output(result)),
      progress_(values.given("quiet")) {
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
  check_outputs(outputs, {{file_}});
  const Stopwatch reading;
  input_ = open_input(file_, data_, progress_);
  timing_.read_s = reading.seconds();
}

void MethodRun::write_table_to(OutputFiles& outputs, const std::vector<std::size_t>& features) {
  if (!table_) return;
  const Schema& schema = source().schema();
  std::set<std::size_t> wanted;  // places in the file
  for (const std::size_t feature : features) wanted.insert(schema.features.at(feature).index);
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

void MethodRun::write_ranking_to(OutputFiles& outputs, const SelectResult& result) const {
  if (!ranking_) return;
  const bool commas = io::data_extension(*ranking_) == "csv";
  outputs.text(*ranking_, ranking_table(result, commas ? ',' : '\t'));
}

void MethodRun::summarise(const std::string& summary) const {
  const bool said = !json_ && stdout_is_terminal() && stderr_is_terminal();
  note(values_.given("quiet") || said, summary);
}

void print_result(const SavedResult& result, bool json) {
  write_stdout(json ? to_json(result) : to_report(result, report_style()));
}

}  // namespace fsieve::cli
