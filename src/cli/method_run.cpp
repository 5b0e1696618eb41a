#include "cli/method_run.h"

#include <algorithm>

#include "cli/messages.h"
#include "cli/output_files.h"
#include "cli/standard_output.h"
#include "cli/terminal.h"

namespace fsieve::cli {

void check_outputs(const std::optional<std::string>& table,
                   const std::optional<std::string>& save) {
  if (table && save && *table == *save) {
    throw Error(fmt::format("-o and --save both name {}", *table), Error::Kind::usage);
  }
  if (table) check_table_name(*table);
  if (table) check_folder(*table);
  if (save) check_folder(*save);
}

std::vector<std::size_t> written_columns(std::vector<std::size_t> features, const Schema& schema) {
  std::sort(features.begin(), features.end());
  if (schema.label) features.push_back(schema.features.size());
  return features;
}

void summarise(const std::string& summary, const OptionValues& values) {
  const bool said = !values.given("json") && stdout_is_terminal() && stderr_is_terminal();
  note(values.given("quiet") || said, summary);
}

void print_result(const SavedResult& result, const OptionValues& values) {
  write_stdout(values.given("json") ? to_json(result) : to_report(result, report_style()));
}

}  // namespace fsieve::cli
