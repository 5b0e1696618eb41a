// fsieve select FILE --label COL -k K
#include <fmt/format.h>

#include "app/run.h"
#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/method_run.h"

namespace fsieve::cli {
namespace {

// What was decided for the user is said to the user.
std::string task_note(const Report<SffsResult>& result, ColumnKind kind) {
  if (!result.classes) {
    return fmt::format("label \"{}\" is taken as a number (--task classification: as classes)",
                       *result.label);
  }
  return fmt::format("label \"{}\" is taken as {} classes{}", *result.label, result.classes->size(),
                     kind == ColumnKind::numeric ? " (--task regression: as a number)" : "");
}

}  // namespace

void select(const OptionValues& values) {
  OptionValues asked = values;
  // The report says how many features went, not why: only the full result has their equations.
  if (!values.given("json") && !values.given("save")) asked.set("no-equations", "");
  const Request request(asked);
  MethodRun run(values, request.data());
  AnyReport report = run.run(request);
  run.write(report);
  if (!values.given("task")) {
    note(values.given("quiet"),
         task_note(std::get<Report<SffsResult>>(report.result), run.source().schema().label->kind));
  }
  run.print(report);
}

}  // namespace fsieve::cli
