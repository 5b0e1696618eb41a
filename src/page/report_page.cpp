#include "page/report_page.h"

#include <numeric>

#include "base/json_text.h"
#include "fsieve/error.h"
#include "fsieve/result.h"
#include "fsieve/version.h"
#include "page/column_facts.h"
#include "page/equation_points.h"
#include "page/held_out_rule.h"
#include "page/page_text.h"
#include "page/pictures.h"
#include "page/row_sample.h"
#include "report/result_fields.h"

namespace fsieve::inline page {
namespace {

constexpr std::string_view kResultsBegin = R"(<script type="application/json" id="fsieve-report">)";
constexpr std::string_view kResultsEnd = "</script>";
constexpr std::size_t kPictureRows = 20'000;

// Whatever a name holds, it can neither end the element nor begin another.
std::string in_script(const json& object) {
  std::string text;
  for (const char c : object.dump(-1, ' ', false, json::error_handler_t::replace)) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

// Puts each part in the place of its {{name}}; parts are not looked into.
std::string filled(std::string_view page,
                   const std::vector<std::pair<std::string_view, std::string_view>>& parts) {
  std::string text;
  for (;;) {
    const std::size_t begin = page.find("{{");
    const std::size_t end = page.find("}}", begin);
    text += page.substr(0, begin);
    if (end == std::string_view::npos) return text;
    const std::string_view name = page.substr(begin + 2, end - begin - 2);
    for (const auto& [known, part] : parts) {
      if (known == name) text += part;
    }
    page.remove_prefix(end + 2);
  }
}

// Of removed features, and of kept ones that are related to others.
std::vector<Equation> equations_of(const Report<UffsResult>& result) {
  std::vector<Equation> equations;
  for (const RemovedFeature& feature : result.removed) {
    if (feature.reason == Reason::constant) continue;
    equations.insert(equations.end(), feature.equations.begin(), feature.equations.end());
  }
  return equations;
}

json points_json(const std::string& reduced, const Source& source, std::uint64_t seed,
                 Progress& progress) {
  const SavedResult result = result_from_json(reduced, "result");
  const auto* const held = std::get_if<Report<UffsResult>>(&result);
  if (held == nullptr) return json::array();
  const std::vector<Equation> equations = equations_of(*held);
  if (equations.empty()) return json::array();
  std::vector<std::size_t> columns(source.schema().features.size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  const RowSample sample =
      sample_rows(source, std::move(columns), rows_shown(equations.size()), seed, progress);
  return equation_points(equations, source.schema(), sample);
}

json pictures_json(const std::string& selected, const Source& source, std::uint64_t seed,
                   Progress& progress) {
  const SavedResult result = result_from_json(selected, "result");
  const auto* const held = std::get_if<Report<SffsResult>>(&result);
  if (held == nullptr || !source.schema().label) return json::array();
  PictureWishes wishes;
  if (held->classes) wishes.classes = *held->classes;
  for (const RelevantFeature& feature : held->selected) wishes.selected.push_back(feature.name);
  for (const NamedSubset& subset : held->subsets) wishes.subsets.push_back(subset.names);
  std::vector<std::size_t> columns = pictured_features(wishes, source.schema());
  columns.push_back(source.schema().features.size());
  const RowSample sample = sample_rows(source, std::move(columns), kPictureRows, seed, progress);
  return pictures(wishes, source.schema(), sample);
}

json making_json(const ReportMaking& making) {
  json object{{"command", making.command}, {"fsieve", version()}, {"seed", making.seed}};
  json& commands = object["commands"] = json::object();
  for (const auto& [what, command] : making.commands) commands[what] = command;
  if (making.time) object["time"] = *making.time;
  if (making.seconds) object["seconds"] = *making.seconds;
  return object;
}

json result_json(const std::string& text) { return text.empty() ? json(nullptr) : json_in(text); }

std::string result_text(const json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) {
    throw Error(fmt::format("not a page of fsieve report (\"{}\" is missing)", key));
  }
  return object.at(key).is_null() ? std::string() : dumped(object.at(key));
}

}  // namespace

json report_object(const ReportParts& parts) {
  return {{"reduce", result_json(parts.reduce)},
          {"select", result_json(parts.select)},
          {"learn", result_json(parts.learn)}};
}

std::string report_page(const ReportParts& parts, const ReportMaking& making, const Source& source,
                        Progress& progress) {
  json data{{"making", making_json(making)}, {"rows", source.rows()}};
  data["columns"] = column_facts(source, progress);
  data["missing"] = {{"rows", making.missing.rows}, {"cells", making.missing.of_column}};
  data["points"] = points_json(parts.reduce, source, making.seed, progress);
  data["pictures"] = parts.select.empty()
                         ? json::array()
                         : pictures_json(parts.select, source, making.seed, progress);
  if (making.rule) data["rule"] = held_out_rule(source, *making.rule, making.seed, progress);
  const PageText& page = page_text();
  const std::string results =
      std::string(kResultsBegin) + in_script(report_object(parts)) + std::string(kResultsEnd);
  return filled(page.html, {{"style-hash", page.style_hash},
                            {"script-hash", page.script_hash},
                            {"style", page.style},
                            {"results", results},
                            {"data", in_script(data)},
                            {"script", page.script}});
}

std::optional<ReportParts> report_parts_in(std::string_view page) {
  const std::size_t begin = page.find(kResultsBegin);
  if (begin == std::string_view::npos) return std::nullopt;
  page.remove_prefix(begin + kResultsBegin.size());
  const json object = json_in(page.substr(0, page.find(kResultsEnd)));
  return ReportParts{result_text(object, "reduce"), result_text(object, "select"),
                     result_text(object, "learn")};
}

}  // namespace fsieve::page
