// The report of `learn`: the rule, its table, its coefficients.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/number_text.h"
#include "base/visible.h"
#include "fsieve/model.h"
#include "methods/junta/formula.h"
#include "report/report_parts.h"
#include "report/text_table.h"

namespace fsieve {
namespace {

constexpr std::size_t kMostCoefficients = 64;

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string joined_names(const std::vector<std::string>& names) {
  std::vector<std::string> cells;
  cells.reserve(names.size());
  for (const std::string& name : names) cells.push_back(name_cell(name));
  return fmt::format("{}", fmt::join(cells, ", "));
}

std::string method_words(const Model& model) {
  switch (model.learner) {
    case Learner::low_degree:
      return fmt::format("low-degree learner: the sign of {} products", model.coefficients.size());
    case Learner::erm:
      return fmt::format("erm learner: the table with the fewest errors of {}",
                         counted(model.subsets, "subset"));
    case Learner::fourier:
      break;
  }
  return fmt::format("fourier learner, {} basis: the best of {}", name_of(model.basis),
                     counted(model.subsets, "subset"));
}

std::string score_words(const Model& model) {
  const std::string error = model.weighted_error ? "weighted error" : "error";
  if (model.learner == Learner::erm) {
    return model.weighted_error ? "1 − 2·weighted error" : "1 − 2·training error";
  }
  return fmt::format("an estimate of 1 − 2·{} of the best rule on these features", error);
}

std::string weighted_words(const Model& model) {
  if (!model.weighted_error) return "";
  return fmt::format(", {} where a row of {} counts {} and one of {} counts {}",
                     percent(*model.weighted_error), name_cell(model.classes[0]),
                     short_number((*model.class_weights)[0]), name_cell(model.classes[1]),
                     short_number((*model.class_weights)[1]));
}

std::string shuffle_words(const ShuffleTest& test) {
  return fmt::format(
      "p {}: the best score of {} of {} of the label was as good (median {}, largest {}).",
      short_number(test.p_value()), test.as_good == 0 ? "none" : std::to_string(test.as_good),
      counted(test.permutations, "shuffle"), short_number(test.median), short_number(test.largest));
}

std::string truth_table(const Model& model, const Colours& colour) {
  std::vector<TextTable::ColumnStyle> columns;
  for (const ModelFeature& feature : model.features) {
    columns.push_back({name_cell(feature.name), Align::left});
  }
  columns.push_back({"rows", Align::right});
  columns.push_back({"share", Align::right});
  columns.push_back({"value", Align::right});
  columns.push_back({name_cell(model.label), Align::left});
  columns.push_back({"confidence", Align::right});
  TextTable table(std::move(columns));
  for (const ModelCell& cell : model.table) {
    std::vector<std::string> cells;
    for (std::size_t k = 0; k < model.features.size(); ++k) {
      const ModelFeature& feature = model.features[k];
      cells.push_back(name_cell(value_text(cell.high[k] ? feature.high : feature.low)));
    }
    const std::uint64_t agree = cell.prediction ? cell.positive : cell.count - cell.positive;
    const double share = static_cast<double>(cell.count) / static_cast<double>(model.rows);
    cells.push_back(std::to_string(cell.count));
    cells.push_back(percent(share));
    cells.push_back(short_number(cell.value));
    cells.push_back(name_cell(model.classes[cell.prediction ? 1 : 0]));
    cells.push_back(cell.count > 0
                        ? percent(static_cast<double>(agree) / static_cast<double>(cell.count))
                        : "no rows");
    table.add(std::move(cells));
  }
  return table.text(colour.dim, colour.off);
}

std::string coefficient_table(const Model& model, const TextStyle& style, const Colours& colour) {
  TextTable table({{"value", Align::right}, {"features", Align::left}});
  for (const Coefficient& coefficient : model.coefficients) {
    if (table.empty() ||
        &coefficient - model.coefficients.data() < static_cast<std::ptrdiff_t>(kMostCoefficients)) {
      table.add({short_number(coefficient.value),
                 coefficient.features.empty()
                     ? "(constant)"
                     : shortened(joined_names(coefficient.features),
                                 std::max(narrowest_names, style.width - 14))});
    }
  }
  return table.text(colour.dim, colour.off);
}

std::string candidate_table(const Model& model, const TextStyle& style, const Colours& colour) {
  TextTable table({{"score", Align::right}, {"features", Align::left}});
  for (const Candidate& subset : model.candidates) {
    table.add({short_number(subset.score), shortened(joined_names(subset.features),
                                                     std::max(narrowest_names, style.width - 14))});
  }
  return table.text(colour.dim, colour.off);
}

}  // namespace

std::string to_report(const Model& model, const TextStyle& style) {
  const Colours colour = colours(style.colour);
  std::string report = fmt::format(
      "{}{}: {} from {} of {}{} ({})\n", colour.bold, visible(model.source), name_cell(model.label),
      model.learner == Learner::low_degree ? "all" : std::to_string(model.subset.size()),
      counted(model.feature_count, "feature"), colour.off, counted(model.rows, "row"));
  const auto line = [&](const std::string& words) {
    report += filled(visible(words), style.width, 2) + "\n";
  };
  line(method_words(model));
  report += ignored_line(model.ignored, style);
  report += "\n";
  if (model.formula) {
    line(fmt::format("{} = {} when {}", name_cell(model.label), name_cell(model.classes[1]),
                     visible(*model.formula)));
    line(fmt::format("{} = {} else", name_cell(model.label), name_cell(model.classes[0])));
  } else if (model.learner != Learner::low_degree) {
    line(fmt::format("{} from {}", name_cell(model.label), joined_names(model.subset)));
  }
  line(fmt::format("Training error {}{}; score {} ({}).", percent(model.training_error),
                   weighted_words(model), short_number(model.score), score_words(model)));
  if (model.shuffled) line(shuffle_words(*model.shuffled));
  if (!model.table.empty()) {
    report += heading("Table", colour);
    report += truth_table(model, colour);
  }
  const bool cut = model.coefficients.size() > kMostCoefficients;
  report += heading(cut ? fmt::format("The {} largest of {} coefficients", kMostCoefficients,
                                      model.coefficients.size())
                        : std::string("Coefficients, largest first"),
                    colour);
  report += coefficient_table(model, style, colour);
  if (model.candidates.size() > 1) {
    report += heading("Best subsets", colour);
    report += candidate_table(model, style, colour);
  }
  return report;
}

}  // namespace fsieve
