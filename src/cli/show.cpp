// fsieve show RESULT.json, MODEL.json or REPORT.html
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/saved_result.h"
#include "cli/standard_output.h"
#include "cli/terminal.h"
#include "fsieve/error.h"
#include "fsieve/model.h"
#include "page/report_page.h"
#include "report/result_fields.h"

namespace fsieve::cli {
namespace {

struct Shown {
  std::string text;
  std::vector<std::string> warnings;
};

Shown shown_model(const std::string& text, const std::string& path, const OptionValues& values) {
  Model model = model_from_json(text, path);
  if (values.given("no-timing")) model.timing.reset();
  return {values.given("json") ? to_json(model) : to_report(model, report_style()), model.warnings};
}

Shown shown_result(const std::string& text, const std::string& path, const OptionValues& values) {
  SavedResult result = result_from_json(text, path);
  std::vector<std::string> warnings;
  std::visit(
      [&](auto& held) {
        if (values.given("no-timing")) held.timing.reset();
        warnings = held.warnings;
      },
      result);
  return {values.given("json") ? to_json(result) : to_report(result, report_style()), warnings};
}

// None: the file is no page of `fsieve report`.
std::optional<ReportParts> parts_in(const std::string& text, const std::string& path) {
  try {
    return report_parts_in(text);
  } catch (const Error& error) {
    throw error.in(path);
  }
}

std::string page_json(const ReportParts& parts, const OptionValues& values) {
  json object = report_object(parts);
  for (json& result : object) {
    if (values.given("no-timing") && result.is_object()) result.erase("timing");
  }
  return dumped(object);
}

// The results of a page one after another, each under the name of its command.
Shown shown_page(const ReportParts& parts, const std::string& path, const OptionValues& values) {
  if (values.given("json")) return {page_json(parts, values), {}};
  Shown all;
  const auto add = [&](const char* name, const Shown& shown) {
    all.text +=
        fmt::format("{}== fsieve {} ==\n{}", all.text.empty() ? "" : "\n", name, shown.text);
    for (const std::string& warning : shown.warnings) {
      const auto end = all.warnings.end();
      if (std::find(all.warnings.begin(), end, warning) == end) all.warnings.push_back(warning);
    }
  };
  add("reduce", shown_result(parts.reduce, path, values));
  if (!parts.select.empty()) add("select", shown_result(parts.select, path, values));
  if (!parts.learn.empty()) add("learn", shown_model(parts.learn, path, values));
  return all;
}

Shown shown_file(const std::string& path, const OptionValues& values) {
  const std::string text = read_text(path);
  if (const auto parts = parts_in(text, path)) return shown_page(*parts, path, values);
  return is_model(text) ? shown_model(text, path, values) : shown_result(text, path, values);
}

}  // namespace

void show(const OptionValues& values) {
  const Shown shown = shown_file(values.required("result"), values);
  warning_lines(shown.warnings);
  write_stdout(shown.text);
}

}  // namespace fsieve::cli
