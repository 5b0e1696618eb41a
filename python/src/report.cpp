#include "report.h"

#include <fmt/format.h>

#include <memory>

#include "app/data_options.h"
#include "app/report_run.h"
#include "app/run.h"

namespace fsieve::python {
namespace {

// How a user of the package asks for a command.
std::string wording(const OptionValues& values) {
  switch (values.command()) {
    case Command::reduce:
      return "fsieve.UFFS(relations=True).fit(X)";
    case Command::select:
      return fmt::format("fsieve.SFFS(k=\"{}\").fit(X, y)", values.required("k"));
    case Command::learn:
      return fmt::format(
          "fsieve.JuntaClassifier(k={}, binarize=\"median\", search=\"{}\").fit(X, y)",
          values.required("k"), values.required("search"));
    default:
      return values.given("label") ? "fsieve.report(X, y)" : "fsieve.report(X)";
  }
}

}  // namespace

std::string report_page(const Table& table, const Call& call, Progress& progress) {
  const OptionValues values = values_of(call);
  RunRecord record(kTableName, run_context(values, progress));
  std::string page;
  on_threads_of(values, [&] {
    ReportRun report(values, wording, true);
    const auto opened = opened_table(table, call, read_options(values), record);
    report.run(opened->source(), record);
    page = report.page(opened->source(), opened->missing(), record);
  });
  return page;
}

}  // namespace fsieve::python
