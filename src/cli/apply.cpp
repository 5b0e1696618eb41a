// fsieve apply RESULT.json FILE [-o OUT]
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "app/data_options.h"
#include "base/number_text.h"
#include "cli/commands.h"
#include "cli/input_table.h"
#include "cli/messages.h"
#include "cli/output_files.h"
#include "cli/progress_bar.h"
#include "cli/saved_result.h"
#include "cli/standard_output.h"
#include "fsieve/error.h"
#include "fsieve/io.h"
#include "fsieve/version.h"
#include "report/report_parts.h"
#include "table/dates.h"

namespace fsieve::cli {
namespace {

// Only the selected columns are read: what is wrong elsewhere in the file does not matter. What the
// first run was told about its columns holds for this file too.
ReadOptions options_for(const SavedSelection& selection, const OptionValues& values) {
  using Names = std::vector<std::string>;
  ReadOptions options = read_options(values);
  options.needed = selection.features;
  if (options.categorical.empty()) {
    options.categorical =
        matching(selection.features, parameter<Names>(selection.parameters, "categorical"));
  }
  if (options.na.empty()) options.na = parameter<Names>(selection.parameters, "na");
  return options;
}

InputTable open_selected(const std::string& file, const SavedSelection& selection,
                         const OptionValues& values, const RunContext& context) {
  ReadOptions options = options_for(selection, values);
  if (!options.label) {
    options.label = selection.label;
    options.label_may_be_absent = true;  // a file to predict on often has none yet
  }
  return open_table(file, options, context);
}

// The selected columns in the order of the result, whatever the order of the file. A column that
// was set aside stands before the first one that it stood before then.
std::vector<std::string> written_names(const SavedSelection& selection, bool with_ignored) {
  std::vector<std::string> names;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < selection.features.size(); ++i) {
    names.push_back(selection.features[i]);
    places.push_back(selection.indices[i]);
  }
  for (const IgnoredColumn& column : selection.ignored) {
    if (!with_ignored) break;
    const auto after = std::find_if(places.begin(), places.end(),
                                    [&](std::size_t place) { return place > column.index; });
    names.insert(names.begin() + (after - places.begin()), column.name);
    places.insert(after, column.index);
  }
  return names;
}

// Positions among the columns of the file, the label last. A file need not have the columns that
// were set aside.
std::vector<std::size_t> columns_of(const std::vector<std::string>& names, const Schema& file,
                                    const std::optional<Column>& label) {
  std::vector<std::size_t> columns;
  const auto is_in = [](const auto& all, const auto& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  };
  const auto add = [&](const std::string& name) {
    for (std::size_t j = 0; j < file.features.size(); ++j) {
      if (file.features[j].name != name) continue;
      if (!is_in(columns, j)) columns.push_back(j);
      return true;
    }
    return false;
  };
  for (const std::string& name : names) {
    if ((label && name == label->name) || add(name)) continue;
    if (const auto part = io::named_part(name)) (void)add(part->column);  // of a date
  }
  if (label) (void)add(label->name);
  return columns;
}

// A table has no two columns of one name, so such a result was edited or is damaged.
void check_named_once(const SavedSelection& selection, const std::string& result_file) {
  std::unordered_set<std::string_view> seen;
  if (selection.label) seen.insert(*selection.label);
  for (const std::string& name : selection.features) {
    if (seen.insert(name).second) continue;
    throw Error(
        fmt::format("{}: \"{}\" is {}", result_file, name,
                    name == selection.label ? "selected, and the label too" : "selected twice"));
  }
}

std::string summary_json(const std::string& file, const std::string& result_file,
                         const Source& written, const std::vector<std::size_t>& columns,
                         const std::string& output, const std::vector<std::string>& warnings) {
  using json = nlohmann::ordered_json;
  json names = json::array();
  for (const std::size_t position : columns) {
    names.push_back(written.schema().features[position].name);
  }
  json object{{"fsieve", version()},
              {"schema", json_schema},
              {"command", "apply"},
              {"result", result_file},
              {"data", {{"source", file}, {"rows", written.rows()}}},
              {"columns", std::move(names)},
              {"output", output}};
  object["warnings"] = warnings;
  return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace

void apply(const OptionValues& values) {
  const std::string file = values.required("file");
  auto output = values.text("output");
  if (output == "-") output.reset();
  if (output) {
    check_outputs({{"-o", *output}}, {{file}, {values.required("result"), Holds::json}});
  }
  const bool json = values.given("json");
  if (json && !output) {
    throw Error("--json needs -o FILE here: without it the table is on standard output",
                Error::Kind::usage);
  }
  (void)read_options(values);  // a wrong option is said before a file is looked at
  ProgressBar progress(values.given("quiet"));
  const RunContext context = run_context(values, progress);

  const std::string result_file = values.required("result");
  const SavedSelection selection = selection_of(load_result(result_file));
  if (selection.features.empty()) {
    throw Error(fmt::format("{}: no feature is selected", result_file));
  }
  check_named_once(selection, result_file);
  const InputTable opened = open_selected(file, selection, values, context);
  const Source& source = *opened.source;
  const auto written = beside_file(source, source, {});
  const bool numbers_only = output && holds_numbers_only(*output);
  const std::vector<std::size_t> columns =
      columns_of(written_names(selection, !numbers_only), written->schema(), source.schema().label);
  if (!output) {
    warning_lines(opened.warnings);
    return write_table_to_stdout(*written, columns, progress);
  }
  OutputFiles outputs;
  outputs.table(*output, *written, columns, progress);
  commit(outputs);
  warning_lines(opened.warnings);
  note(values.given("quiet"),
       fmt::format("{} of {} written to {}", counted(columns.size(), "column"),
                   counted(source.rows(), "row"), *output));
  if (json) {
    write_stdout(summary_json(file, result_file, *written, columns, *output, opened.warnings));
  }
}

}  // namespace fsieve::cli
