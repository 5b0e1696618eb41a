// fsieve show RESULT.json, MODEL.json or REPORT.html
#include <fmt/format.h>

#include <optional>
#include <variant>

#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/method_run.h"
#include "cli/saved_result.h"
#include "cli/standard_output.h"
#include "cli/terminal.h"
#include "fsieve/error.h"
#include "fsieve/model.h"
#include "page/report_page.h"
#include "report/result_fields.h"

namespace fsieve::cli {
namespace {

void show_model(Model model, const OptionValues& values) {
  if (values.given("no-timing")) model.timing.reset();
  warning_lines(model.warnings);
  write_stdout(values.given("json") ? to_json(model) : to_report(model, report_style()));
}

void show_result(SavedResult result, const OptionValues& values) {
  std::visit(
      [&](auto& held) {
        if (values.given("no-timing")) held.timing.reset();
        warning_lines(held.warnings);
      },
      result);
  print_result(result, values.given("json"));
}

// None: the file is no page of `fsieve report`.
std::optional<ReportParts> parts_in(const std::string& text, const std::string& path) {
  try {
    return report_parts_in(text);
  } catch (const Error& error) {
    throw error.in(path);
  }
}

// The results of a page one after another, each under the name of its command.
void show_page(const ReportParts& parts, const std::string& path, const OptionValues& values) {
  if (values.given("json")) {
    json object = report_object(parts);
    for (json& result : object) {
      if (values.given("no-timing") && result.is_object()) result.erase("timing");
    }
    return write_stdout(dumped(object));
  }
  const auto headed = [](const char* name) { write_stdout(fmt::format("== {} ==\n", name)); };
  headed("reduce");
  show_result(result_from_json(parts.reduce, path), values);
  if (!parts.select.empty()) {
    headed("\nselect");
    show_result(result_from_json(parts.select, path), values);
  }
  if (!parts.learn.empty()) {
    headed("\nlearn");
    show_model(model_from_json(parts.learn, path), values);
  }
}

}  // namespace

void show(const OptionValues& values) {
  const std::string path = values.required("result");
  const std::string text = read_text(path);
  if (const auto parts = parts_in(text, path)) return show_page(*parts, path, values);
  if (is_model(text)) return show_model(model_from_json(text, path), values);
  show_result(result_from_json(text, path), values);
}

}  // namespace fsieve::cli
