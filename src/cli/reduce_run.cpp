#include "cli/reduce_run.h"

#include "cli/standard_output.h"
#include "cli/terminal.h"

namespace fsieve::cli {

std::vector<std::size_t> reduced_columns(const UffsResult& found, const Schema& schema) {
  std::vector<std::size_t> columns;
  columns.reserve(found.selected.size() + 1);
  for (const SelectedFeature& feature : found.selected) columns.push_back(feature.feature);
  if (schema.label) columns.push_back(schema.features.size());
  return columns;
}

void print_result(const ReduceResult& result, const OptionValues& values) {
  write_stdout(values.given("json") ? to_json(result) : to_report(result, report_style()));
}

}  // namespace fsieve::cli
