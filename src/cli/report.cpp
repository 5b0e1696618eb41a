// fsieve report FILE [--label COL] -o report.html
#include <fmt/format.h>

#include "app/command_text.h"
#include "app/data_options.h"
#include "app/report_run.h"
#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/method_run.h"
#include "cli/standard_output.h"
#include "fsieve/error.h"
#include "io/file_source.h"
#include "report/result_fields.h"

namespace fsieve::cli {
namespace {

// Nothing: only the results are wanted.
std::optional<OutputFile> page_file(const OptionValues& values) {
  if (!values.given("output") && values.given("json")) return std::nullopt;
  if (!values.given("output")) {
    throw Error("-o FILE.html is missing: where the page is to go", Error::Kind::usage);
  }
  OutputFile page{"-o", values.required("output"), Holds::page};
  if (values.given("json") && is_standard_output(page.path)) {
    throw Error("--json and -o - both go to standard output; give one of them", Error::Kind::usage);
  }
  return page;
}

void write_page(const std::string& path, const std::string& page) {
  if (is_standard_output(path)) return write_stdout(page);
  OutputFiles outputs;
  outputs.text(path, page);
  commit(outputs);
}

}  // namespace

void report(const OptionValues& values) {
  ReportRun report(values, command_text, !values.given("no-timing"));
  const auto output = page_file(values);
  MethodRun run(values, read_options(values), std::nullopt, output);
  run.on_file([&] { report.run(run.source(), run.record()); });
  if (output) {
    const io::MissingCells missing = io::missing_cells(run.source());
    write_page(output->path, report.page(run.source(), missing, run.record()));
  }
  warning_lines(report.warnings());
  if (output && !is_standard_output(output->path)) {
    note(values.given("quiet"), fmt::format("the page is in {}", output->path));
  }
  if (values.given("json")) write_stdout(dumped(report_object(report.parts())));
}

}  // namespace fsieve::cli
