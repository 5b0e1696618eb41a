// The report of `reduce` with gfs or gfa.
#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "base/number_text.h"
#include "base/visible.h"
#include "fsieve/result.h"
#include "report/report_parts.h"
#include "report/result_names.h"
#include "report/text_table.h"

namespace fsieve {
namespace {

// Small variances have their digits behind the point.
std::string variance_text(double value) {
  if (value == 0) return "0";
  return value >= 0.01 ? short_number(value) : fmt::format("{:.3g}", value);
}

// What was asked for; a result that was not asked for by options says no more than it knows.
std::string method_line(const Report<GreedyChoice>& result) {
  std::vector<std::string> words{result.method};
  const auto functions = parameter<std::vector<std::string>>(result.parameters, "function");
  const auto family = parameter<std::string>(result.parameters, "family");
  if (!functions.empty()) {
    words.push_back(fmt::format("functions {}", fmt::join(functions, ", ")));
  } else if (!family.empty()) {
    words.push_back(family);
  }
  const char* const threshold = result.method == "gfs" ? "epsilon2" : "delta";
  for (const Parameter& entry : result.parameters) {
    if (entry.key != threshold) continue;
    if (const double* const value = std::get_if<double>(&entry.value)) {
      words.push_back(fmt::format("{} {:.6g}", threshold, *value));
    }
  }
  const auto scale = parameter<std::string>(result.parameters, "scale");
  if (!scale.empty()) {
    words.push_back(
        fmt::format("variances in {} units", scale == "standard" ? "standardised" : "original"));
  }
  return fmt::format("{}: {} kept, at most {} of variance left", fmt::join(words, ", "),
                     counted(result.functions, "function"),
                     variance_text(result.trace.empty() ? 0 : result.trace.back()));
}

std::string selected_list(const Report<GreedyChoice>& result, const TextStyle& style) {
  std::vector<std::string> names;
  names.reserve(result.selected.size());
  for (const ChosenFeature& feature : result.selected) names.push_back(name_cell(feature.name));
  return wrapped(names, style.width);
}

std::string selected_table(const Report<GreedyChoice>& result, const Colours& colour) {
  TextTable table({{"feature", Align::left},
                   {"variance", Align::right},
                   {"left when chosen", Align::right},
                   {"largest left after", Align::right}});
  for (std::size_t i = 0; i < result.selected.size(); ++i) {
    const ChosenFeature& feature = result.selected[i];
    table.add({name_cell(feature.name), variance_text(feature.variance),
               variance_text(feature.variance_left),
               i + 1 < result.trace.size() ? variance_text(result.trace[i + 1]) : "-"});
  }
  return table.text(colour.dim, colour.off);
}

// Two passes over the rows: how wide the equations may be depends on the columns before them.
std::string removed_table(const Report<GreedyChoice>& result, const TextStyle& style,
                          const Colours& colour) {
  constexpr std::size_t kEquation = 3;
  const auto fill = [&](std::size_t width) {
    TextTable table({{"feature", Align::left},
                     {"variance left", Align::right},
                     {"R²", Align::right},
                     {"equation", Align::left}});
    for (const OtherFeature& feature : result.removed) {
      const bool plain = feature.reason == Reason::redundant;
      const std::string mark = plain ? "" : fmt::format("({}) ", name_of(feature.reason));
      const std::string left = variance_text(feature.variance_left);
      if (feature.equations.empty()) {
        table.add({name_cell(feature.name), left, "-", plain ? "-" : mark});
      }
      bool first = true;
      for (const Equation& equation : feature.equations) {
        const std::string cell = width > 0
                                     ? mark + equation_cell(feature.name, feature.reason, equation,
                                                            width - std::min(width, mark.size()))
                                     : "";
        table.add({first ? name_cell(feature.name) : "", first ? left : "",
                   share_number(equation.r2), cell});
        first = false;
      }
    }
    return table;
  };
  const std::size_t before = fill(0).width_before(kEquation);
  return fill(equation_width(before, style)).text(colour.dim, colour.off);
}

std::string bound_words(const EntropyBound& bound) {
  if (bound.vacuous) {
    return fmt::format(
        "Guarantee: none. Theorem 1 says no more than that the other features have at most {:.4g} "
        "bits of entropy.",
        bound.trivial_bits);
  }
  return fmt::format(
      "Guarantee: given the chosen features, the others have at most {:.4g} bits of entropy left, "
      "of {:.4g} that they could have (Theorem 1, for these rows).",
      bound.bits, bound.trivial_bits);
}

}  // namespace

std::string to_report(const Report<GreedyChoice>& result, const TextStyle& style) {
  const Colours colour = colours(style.colour);
  std::string report =
      fmt::format("{}{}: {} of {} chosen, {} not{} ({})\n", colour.bold, visible(result.source),
                  result.selected.size(), counted(result.features, "feature"),
                  result.removed.size(), colour.off, counted(result.rows, "row"));
  report += filled(visible(method_line(result)), style.width, 2) + "\n";
  report += ignored_line(result.ignored, style);
  if (!result.selected.empty()) {
    report += heading("Chosen, in this order", colour);
    report += result.selected.size() > kLongestTable ? selected_list(result, style)
                                                     : selected_table(result, colour);
  }
  if (!result.removed.empty()) {
    report += heading("Not chosen", colour);
    report += removed_table(result, style, colour);
  }
  if (!result.standardised.empty())
    report += "\nz(x) is x standardised: less its mean, by its deviation.\n";
  if (result.entropy_bound) {
    report += '\n';
    report += filled(bound_words(*result.entropy_bound), style.width, 2);
    report += '\n';
  }
  return report;
}

}  // namespace fsieve
