// fsieve predict MODEL.json FILE [-o OUT]
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

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
#include "fsieve/model.h"
#include "fsieve/version.h"
#include "report/report_parts.h"

namespace fsieve::cli {
namespace {

// What training was told about its columns holds for this file too. Only the columns of the model
// must be in order; the label is compared where it is one of the classes.
ReadOptions options_for(const Model& model, const OptionValues& values) {
  using Names = std::vector<std::string>;
  ReadOptions options = read_options(values);
  Names& needed = options.needed.emplace();
  for (const ModelFeature& feature : model.features) needed.push_back(feature.column);
  options.compared = model.label;
  options.label.reset();  // what is predicted is the model's
  if (options.categorical.empty()) {
    options.categorical = matching(needed, parameter<Names>(model.parameters, "categorical"));
  }
  if (options.na.empty()) options.na = parameter<Names>(model.parameters, "na");
  return options;
}

// The columns of the file in their order, then prediction and score.
std::unique_ptr<Source> with_columns_of_file(const Source& table, const Source& predictions) {
  const std::size_t computed = predictions.schema().features.size();
  auto written = beside_file(table, predictions, {computed - 2, computed - 1});
  const std::vector<Column>& columns = written->schema().features;
  for (std::size_t j = 0; j + 2 < columns.size(); ++j) {
    const std::string& name = columns[j].name;
    if (name != "prediction" && name != "score") continue;
    throw Error(fmt::format("there is a column \"{}\" already; leave it out with --exclude {}",
                            name, name));
  }
  return written;
}

// An error in the last row must not come after half a table on standard output.
void read_once(const Source& source, Progress& progress) {
  progress.begin("predicting", source.rows());
  const auto reader = source.open();
  Block block;
  while (reader->next(block)) progress.advance(block.first_row + block.rows);
  progress.end();
}

std::optional<double> accuracy(const PredictionCounts& counts) {
  if (counts.labelled == 0) return std::nullopt;
  return static_cast<double>(counts.right) / static_cast<double>(counts.labelled);
}

std::string summary_text(const Model& model, const PredictionCounts& counts) {
  std::string text =
      fmt::format("{} predicted: {} {}, {} {}", counted(counts.rows, "row"), counts.predicted[0],
                  model.classes[0], counts.predicted[1], model.classes[1]);
  if (counts.unseen > 0) {
    text += fmt::format("; {} with values that training never saw", counted(counts.unseen, "row"));
  }
  if (const auto right = accuracy(counts)) {
    text += fmt::format("; {:.1f} % agree with the column {}", 100 * *right, model.label);
  }
  return text;
}

std::string summary_json(const std::string& file, const std::string& model_file, const Model& model,
                         const PredictionCounts& counts, const std::string& output,
                         const std::vector<std::string>& warnings) {
  using json = nlohmann::ordered_json;
  json object{{"fsieve", version()},
              {"schema", json_schema},
              {"command", "predict"},
              {"model", model_file}};
  object["data"] = {{"source", file}, {"rows", counts.rows}};
  object["label"] = {{"name", model.label}, {"classes", model.classes}};
  object["predicted"] = {counts.predicted[0], counts.predicted[1]};
  object["unseen"] = counts.unseen;
  const auto right = accuracy(counts);
  object["accuracy"] = right ? json(*right) : json(nullptr);
  object["output"] = output;
  object["warnings"] = warnings;
  return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace

void predict(const OptionValues& values) {
  const std::string file = values.required("file");
  auto output = values.text("output");
  if (output == "-") output.reset();
  if (output) {
    check_outputs({{"-o", *output}}, {{file}, {values.required("model"), Holds::json}});
  }
  if (values.given("json") && !output) {
    throw Error("--json needs -o FILE here: without it the table is on standard output",
                Error::Kind::usage);
  }
  const Unseen unseen = values.choice("unseen") == "majority" ? Unseen::majority : Unseen::error;
  (void)read_options(values);  // a wrong option is said before a file is looked at
  ProgressBar progress(values.given("quiet"));
  const RunContext context = run_context(values, progress);

  const std::string model_file = values.required("model");
  const Model model = model_from_json(read_text(model_file), model_file);
  const ReadOptions options = options_for(model, values);
  const InputTable opened = open_table(file, options, context);
  PredictionCounts counts;
  try {
    const auto source = predicted(model, *opened.source, unseen, options.first_row, counts);
    const auto written = with_columns_of_file(*opened.source, *source);
    std::vector<std::size_t> columns(written->schema().columns());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    if (output) {
      OutputFiles outputs;
      outputs.table(*output, *written, columns, progress);
      commit(outputs);
    } else {
      read_once(*source, progress);
      write_table_to_stdout(*written, columns, progress);
    }
  } catch (const Error& error) {
    throw about_file(error, file, *opened.source);
  }
  warning_lines(opened.warnings);
  note(values.given("quiet"), summary_text(model, counts));
  if (values.given("json")) {
    write_stdout(summary_json(file, model_file, model, counts, *output, opened.warnings));
  }
}

}  // namespace fsieve::cli
