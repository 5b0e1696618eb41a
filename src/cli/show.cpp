// fsieve show RESULT.json or MODEL.json
#include <variant>

#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/method_run.h"
#include "cli/saved_result.h"
#include "cli/standard_output.h"
#include "cli/terminal.h"
#include "fsieve/model.h"

namespace fsieve::cli {
namespace {

void show_model(Model model, const OptionValues& values) {
  if (values.given("no-timing")) model.timing.reset();
  warning_lines(model.warnings);
  write_stdout(values.given("json") ? to_json(model) : to_report(model, report_style()));
}

}  // namespace

void show(const OptionValues& values) {
  const std::string path = values.required("result");
  const std::string text = read_text(path);
  if (is_model(text)) return show_model(model_from_json(text, path), values);
  SavedResult result = result_from_json(text, path);
  std::visit(
      [&](auto& held) {
        if (values.given("no-timing")) held.timing.reset();
        warning_lines(held.warnings);
      },
      result);
  print_result(result, values.given("json"));
}

}  // namespace fsieve::cli
