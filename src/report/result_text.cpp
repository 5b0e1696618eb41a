// The report of `reduce`.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/number_text.h"
#include "base/visible.h"
#include "fsieve/result.h"
#include "report/report_parts.h"
#include "report/result_names.h"
#include "report/text_table.h"

namespace fsieve {
namespace {

// As --stages is written, with what came in and what was kept.
std::string stages_line(const Report<UffsResult>& result) {
  std::vector<std::string> steps;
  for (const StageReport& report : result.stages) {
    const std::string size =
        report.stage.group_size > 0 ? fmt::format(":{}", report.stage.group_size) : "";
    steps.push_back(
        fmt::format("{}{} ({} → {})", report.stage.depth, size, report.features, report.kept));
  }
  std::size_t sample = 0;
  for (const StageReport& report : result.stages) sample = std::max(sample, report.sample);
  const std::string prepared =
      sample > 0 ? fmt::format("; prepared on {} rows, what goes is checked on all", sample) : "";
  return fmt::format("stages {}{}\n", fmt::join(steps, ", "), prepared);
}

std::string kept_list(const Report<UffsResult>& result, const TextStyle& style) {
  std::vector<std::string> names;
  for (const SelectedFeature& feature : result.selected) {
    names.push_back(name_cell(feature.name) + (feature.undecided ? "?" : ""));
  }
  return wrapped(names, style.width);
}

std::string kept_table(const Report<UffsResult>& result, const Colours& colour) {
  TextTable table({{"feature", Align::left},
                   {"norm left", Align::right},
                   {"adjusted", Align::right},
                   {"", Align::left}});
  for (const SelectedFeature& feature : result.selected) {
    const auto left = [&](std::optional<double> norm) {
      return feature.estimated && norm ? fmt::format("~{:.2g}", *norm) : short_number(norm);
    };
    table.add({name_cell(feature.name), left(feature.norm), left(feature.adjusted_norm),
               feature.undecided     ? "undecided"
               : feature.unconfirmed ? "not confirmed by rows left out"
                                     : ""});
  }
  return table.text(colour.dim, colour.off);
}

// Two passes over the rows: how wide the equations may be depends on the columns before them.
std::string removed_table(const Report<UffsResult>& result, const TextStyle& style,
                          const Colours& colour) {
  constexpr std::size_t kEquation = 3;
  const auto fill = [&](std::size_t width) {
    TextTable table({{"feature", Align::left},
                     {"stage", Align::right},
                     {"R²", Align::right},
                     {"equation", Align::left}});
    for (const RemovedFeature& feature : result.removed) {
      const bool plain = feature.reason == Reason::redundant;
      const std::string stage = feature.stage > 0 ? std::to_string(feature.stage) : "-";
      const std::string mark = plain ? "" : fmt::format("({}) ", name_of(feature.reason));
      if (feature.equations.empty()) {
        table.add({name_cell(feature.name), stage, "-", plain ? "-" : mark});
      }
      bool first = true;
      for (const Equation& equation : feature.equations) {
        const std::string cell = width > 0
                                     ? mark + equation_cell(feature.name, feature.reason, equation,
                                                            width - std::min(width, mark.size()))
                                     : "";
        table.add({first ? name_cell(feature.name) : "", first ? stage : "",
                   share_number(equation.r2), cell});
        first = false;
      }
    }
    return table;
  };
  const std::size_t before = fill(0).width_before(kEquation);
  return fill(equation_width(before, style)).text(colour.dim, colour.off);
}

std::string relations_table(const Report<UffsResult>& result, const TextStyle& style,
                            const Colours& colour) {
  const auto fill = [&](std::size_t width) {
    TextTable table({{"R²", Align::right}, {"relation", Align::left}});
    for (const Equation& relation : *result.relations) {
      table.add({share_number(relation.r2), width > 0 ? equation_cell(relation, width) : ""});
    }
    return table;
  };
  return fill(equation_width(fill(0).width_before(1), style)).text(colour.dim, colour.off);
}

std::string clusters_table(const Report<UffsResult>& result, const TextStyle& style,
                           const Colours& colour) {
  const auto fill = [&](std::size_t width) {
    TextTable table({{"stays", Align::left},
                     {"columns", Align::right},
                     {"smallest R²", Align::right},
                     {"stands for", Align::left}});
    for (const Cluster& cluster : *result.clusters) {
      std::vector<std::string> others;
      for (std::size_t m = 1; m < cluster.names.size(); ++m) {
        others.push_back(name_cell(cluster.names[m]));
      }
      std::string cell = fmt::format("{}", fmt::join(others, ", "));
      if (width > 0 && cell.size() > width) {
        cell = fmt::format("{}, … ({})", others.front(), counted(others.size(), "column"));
      }
      table.add({name_cell(cluster.names.front()), std::to_string(cluster.names.size()),
                 share_number(cluster.r2), width > 0 ? cell : ""});
    }
    return table;
  };
  return fill(equation_width(fill(0).width_before(3), style)).text(colour.dim, colour.off);
}

}  // namespace

std::string to_report(const Report<UffsResult>& result, const TextStyle& style) {
  const Colours colour = colours(style.colour);
  std::string report =
      fmt::format("{}{}: {} of {} kept, {} removed{} ({})\n", colour.bold, visible(result.source),
                  result.selected.size(), counted(result.features, "feature"),
                  result.removed.size(), colour.off, counted(result.rows, "row"));
  if (!result.stages.empty()) report += stages_line(result);
  report += ignored_line(result.ignored, style);

  const auto undecided =
      std::count_if(result.selected.begin(), result.selected.end(),
                    [](const SelectedFeature& feature) { return feature.undecided; });
  if (!result.selected.empty()) {
    const bool long_list = result.selected.size() > kLongestTable;
    std::string words = "Kept";
    if (undecided > 0) {
      words += fmt::format(" ({} undecided{}: too few rows to judge)", undecided,
                           long_list ? ", marked ?" : "");
    }
    report += heading(words, colour);
    report += long_list ? kept_list(result, style) : kept_table(result, colour);
  }
  if (!result.removed.empty()) {
    report += heading("Removed", colour);
    report += removed_table(result, style, colour);
  }
  if (result.relations) {
    report += heading(result.relations->empty() ? "Relations: none found" : "Relations", colour);
    if (!result.relations->empty()) report += relations_table(result, style, colour);
  }
  if (result.clusters) {
    report += heading(result.clusters->empty() ? "Interchangeable columns: none found"
                                               : "Interchangeable columns",
                      colour);
    if (!result.clusters->empty()) report += clusters_table(result, style, colour);
  }
  return report;
}

}  // namespace fsieve
