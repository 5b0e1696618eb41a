// The report of `select`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/number_text.h"
#include "base/visible.h"
#include "fsieve/result.h"
#include "report/report_parts.h"
#include "report/text_table.h"

namespace fsieve {
namespace {

constexpr std::size_t kMostClassesNamed = 8;

bool united(const Report<SffsResult>& result) {
  return parameter<std::string>(result.parameters, "search") == "union";
}

std::string label_words(const Report<SffsResult>& result) {
  if (!result.classes) return "a number";
  const std::vector<std::string>& classes = *result.classes;
  std::vector<std::string> names;
  for (const std::string& name : classes) {
    if (names.size() == kMostClassesNamed) break;
    names.push_back(name_cell(name));
  }
  return fmt::format("{} ({}{})",
                     classes.size() == 1 ? "1 class" : fmt::format("{} classes", classes.size()),
                     fmt::join(names, ", "), names.size() < classes.size() ? ", …" : "");
}

std::string search_words(const Report<SffsResult>& result) {
  const auto search = parameter<std::string>(result.parameters, "search");
  const auto depth = parameter<std::uint64_t>(result.parameters, "depth");
  if (search.empty()) return "";
  if (united(result)) {
    const bool all_sizes = result.measure == Measure::l2 && depth > 1;
    return fmt::format("; union of the best subsets of {}{}", all_sizes ? "up to " : "",
                       counted(depth, "feature"));
  }
  const std::string together =
      depth == 1 ? "no products" : fmt::format("products of up to {}", counted(depth, "feature"));
  const std::string states =
      search == "forward" ? "" : fmt::format(" ({} states)", search.substr(search.find(':') + 1));
  return fmt::format("; forward in rounds{}, {}", states, together);
}

// A p-value that a double cannot hold is not zero.
std::string p_value_cell(std::optional<double> value) {
  return value && *value < 1e-300 ? "< 1e-300" : short_number(value);
}

std::string selected_table(const Report<SffsResult>& result, const Colours& colour) {
  const auto any = [&](auto has) {
    return std::any_of(result.selected.begin(), result.selected.end(), has);
  };
  const bool rounds = any([](const RelevantFeature& feature) { return feature.round.has_value(); });
  const bool tested =
      any([](const RelevantFeature& feature) { return feature.p_value.has_value(); });
  std::vector<TextTable::ColumnStyle> columns{{"rank", Align::right}, {"feature", Align::left}};
  if (rounds) columns.push_back({"round", Align::right});
  columns.push_back({"score", Align::right});
  if (tested) columns.push_back({"p-value", Align::right});
  TextTable table(std::move(columns));
  for (const RelevantFeature& feature : result.selected) {
    std::vector<std::string> cells{std::to_string(feature.rank), name_cell(feature.name)};
    if (rounds) cells.push_back(feature.round ? std::to_string(*feature.round) : "-");
    cells.push_back(short_number(feature.score));
    if (tested) cells.push_back(p_value_cell(feature.p_value));
    table.add(std::move(cells));
  }
  return table.text(colour.dim, colour.off);
}

std::string selected_list(const Report<SffsResult>& result, const TextStyle& style) {
  std::vector<std::string> names;
  names.reserve(result.selected.size());
  for (const RelevantFeature& feature : result.selected) names.push_back(name_cell(feature.name));
  return wrapped(names, style.width);
}

// Two passes over the rows: how wide the names may be depends on the column before them.
std::string subsets_table(const Report<SffsResult>& result, const TextStyle& style,
                          const Colours& colour) {
  const auto fill = [&](std::size_t room) {
    TextTable table({{"score", Align::right}, {"features", Align::left}});
    for (const NamedSubset& subset : result.subsets) {
      std::vector<std::string> names;
      for (const std::string& name : subset.names) names.push_back(name_cell(name));
      table.add(
          {short_number(subset.score), shortened(fmt::format("{}", fmt::join(names, ", ")), room)});
    }
    return table;
  };
  const std::size_t before = fill(narrowest_names).width_before(1);
  const std::size_t room = style.width - std::min(style.width, before);
  return fill(std::max(narrowest_names, room)).text(colour.dim, colour.off);
}

std::string_view measure_words(Measure measure) {
  switch (measure) {
    case Measure::m_n:
      return "M_n, an estimate of 2·accuracy − 1 of the best rule that sees these features only";
    case Measure::bayes_accuracy:
      return "an estimate of the accuracy of the best rule that sees these features only";
    case Measure::q2:
      return "q2, the share of the label's variance that these features predict, every row by a "
             "fit to the others";
    case Measure::l2:
      break;
  }
  return "l2, the sum of the squared mean products of the centred label with the products of the "
         "subset's features";
}

bool chosen_by_path(const Report<SffsResult>& result) {
  return parameter<std::string>(result.parameters, "k") == "auto" && !result.path.empty();
}

std::string nothing_selected(const Report<SffsResult>& result) {
  if (chosen_by_path(result)) {
    return "No number of features predicts better than none in cross-validation.";
  }
  return fmt::format("No feature convinces at level {:.6g}.",
                     parameter<double>(result.parameters, "alpha"));
}

std::string score_cell(const Report<SffsResult>& result, double score) {
  return result.classes ? fmt::format("{:.1f} %", 100 * score) : fmt::format("{:.3f}", score);
}

// The curve in a few lines: some round sizes, the one chosen and the one of the largest score.
std::string path_table(const Report<SffsResult>& result, const Colours& colour) {
  const auto best =
      std::max_element(result.path.begin(), result.path.end(),
                       [](const PathPoint& a, const PathPoint& b) { return a.score < b.score; });
  TextTable table({{"features", Align::right},
                   {result.classes ? "accuracy" : "R²", Align::right},
                   {"± error", Align::right},
                   {"", Align::left}});
  for (const PathPoint& point : result.path) {
    constexpr std::array<std::size_t, 10> round_sizes{0, 1, 2, 3, 5, 10, 20, 30, 50, 100};
    const bool chosen = point.k == result.selected.size();
    const bool round =
        std::find(round_sizes.begin(), round_sizes.end(), point.k) != round_sizes.end();
    if (!chosen && !round && point.k != best->k && point.k != result.path.back().k) continue;
    table.add({std::to_string(point.k), score_cell(result, point.score),
               score_cell(result, point.error), chosen ? "chosen" : ""});
  }
  return table.text(colour.dim, colour.off);
}

// Results of the first schema do not name a model.
std::string estimate_words(const Report<SffsResult>& result) {
  const std::string model =
      result.estimate_model.empty()
          ? "best rule, from the score of the search"
          : fmt::format("{}, cross-validated with the selection", result.estimate_model);
  if (result.accuracy_estimate) {
    return fmt::format("Accuracy estimate: {} ({}).", score_cell(result, *result.accuracy_estimate),
                       model);
  }
  return fmt::format("R² estimate: {} ({}).", score_cell(result, *result.r2_estimate), model);
}

// The theorem is about the k features of largest M_n; a search other than the exhaustive one need
// not find them.
std::string bound_words(const LossBound& bound) {
  const std::string level = fmt::format("{:.6g} %", 100 * (1 - bound.delta));
  if (!bound.vacuous) {
    return fmt::format(
        "with probability {} the best rule on the features of largest M_n has an error rate at "
        "most {:.3g} above that on the best features of that number (Theorem 2).",
        level, bound.excess_loss);
  }
  if (!std::isfinite(bound.excess_loss)) return "none from so few rows (Theorem 2).";
  return fmt::format(
      "none from so few rows. All that Theorem 2 says with probability {} is an error rate at most "
      "{:.3g} above the best possible, which every rule has.",
      level, bound.excess_loss);
}

constexpr std::size_t kNextNamed = 3;
constexpr std::size_t kSubstitutesNamed = 5;

// What would be selected next.

std::string next_words(const Report<SffsResult>& result) {
  std::vector<std::string> next;
  for (const FeatureWorth& entry : result.ranking) {
    if (entry.rank <= result.selected.size() || !(entry.gain > 0)) continue;
    if (next.size() == kNextNamed) break;
    next.push_back(fmt::format("{} ({})", name_cell(entry.name), short_number(entry.gain)));
  }
  if (next.empty()) return "";
  return fmt::format("Next, with the share of the label's variance each would add: {}.",
                     fmt::join(next, ", "));
}

// A substitute may be the better choice once all others are there.
std::string loss_words(double loss) {
  return loss < 0 ? short_number(-loss) + " gained" : short_number(loss);
}

// The first substitute of each selected feature that has one.
std::string substitute_words(const Report<SffsResult>& result) {
  std::vector<std::string> words;
  std::string last;
  for (const Substitute& substitute : result.substitutes) {
    if (substitute.name_instead_of == last) continue;
    last = substitute.name_instead_of;
    words.push_back(fmt::format("{} for {} ({})", name_cell(substitute.name), name_cell(last),
                                loss_words(substitute.loss)));
    if (words.size() == kSubstitutesNamed) break;
  }
  return fmt::format("Could stand in, with the share of the label's variance that is lost: {}.",
                     fmt::join(words, ", "));
}

std::string stability_words(const StabilityReport& stability) {
  std::vector<std::string> words;
  for (const StabilityBound& bound : stability.bounds) {
    words.push_back(fmt::format(
        "{} in {:.0f} % or more of them, of which the false ones are not "
        "expected to be above {:.2g}",
        counted(bound.features, "feature"), 100 * bound.threshold, bound.expected_false));
  }
  return fmt::format("Stability over {} half-samples: {}.", stability.samples,
                     fmt::join(words, "; "));
}

// What was not looked at is no less important than what was found.
bool is_skipped_scan(const std::string& warning) {
  return warning.starts_with("hidden subsets of");
}

std::size_t removed_before(const Report<SffsResult>& result) {
  return result.reduced ? result.reduced->removed.size() : 0;
}

std::string reduced_words(const Report<SffsResult>& result) {
  return fmt::format("{} of {} removed before the search (--reduce {})", removed_before(result),
                     counted(result.features, "feature"),
                     parameter<std::string>(result.parameters, "reduce"));
}

}  // namespace

std::string to_report(const Report<SffsResult>& result, const TextStyle& style) {
  const Colours colour = colours(style.colour);
  std::string report =
      fmt::format("{}{}: {} of {} selected for {}{} ({})\n", colour.bold, visible(result.source),
                  result.selected.size(), counted(result.features, "feature"),
                  name_cell(result.label.value_or("")), colour.off, counted(result.rows, "row"));
  const auto line = [&](const std::string& words) {
    report += filled(visible(words), style.width, 2) + "\n";
  };
  line(label_words(result) + search_words(result));
  if (result.sample_rows) {
    line(fmt::format("Searched in a sample of {}, judged on all rows.",
                     counted(*result.sample_rows, "row")));
  }
  const auto reduce = parameter<std::string>(result.parameters, "reduce");
  if (removed_before(result) > 0 || (!reduce.empty() && reduce != "none")) {
    line(reduced_words(result));
  }
  report += ignored_line(result.ignored, style);

  for (const std::string& warning : result.warnings) {
    if (is_skipped_scan(warning)) line(warning);
  }

  if (result.selected.empty()) {
    line(nothing_selected(result));
    if (chosen_by_path(result)) {
      report += heading("Cross-validated, by number of features", colour);
      report += path_table(result, colour);
    }
    return report;
  }
  report += heading("Selected, best first", colour);
  report += result.selected.size() > kLongestTable ? selected_list(result, style)
                                                   : selected_table(result, colour);
  const bool together =
      std::any_of(result.subsets.begin(), result.subsets.end(),
                  [](const NamedSubset& subset) { return subset.names.size() > 1; });
  // Steps of one feature each are in the first table already.
  if (!result.subsets.empty() && (united(result) || together)) {
    report += heading(united(result) ? "Best subsets" : "Steps: what came in together", colour);
    report += subsets_table(result, style, colour);
  }

  if (chosen_by_path(result)) {
    report += heading("Cross-validated, by number of features", colour);
    report += path_table(result, colour);
  }

  report += "\n";
  line(fmt::format("Score: {}.", measure_words(result.measure)));
  if (result.accuracy_estimate || result.r2_estimate) line(estimate_words(result));
  if (const std::string next = next_words(result); !next.empty()) line(next);
  if (!result.substitutes.empty()) line(substitute_words(result));
  if (result.stability) line(stability_words(*result.stability));
  if (result.bound) line("Guarantee: " + bound_words(*result.bound));
  return report;
}

}  // namespace fsieve
