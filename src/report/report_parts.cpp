#include "report/report_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/number_text.h"
#include "base/visible.h"
#include "report/result_names.h"
#include "report/text_table.h"

namespace fsieve {
namespace {

constexpr std::size_t kLongestName = 40;
constexpr std::size_t kNarrowestEquation = 30;

// Counted as --max-terms counts them: without the constant.
std::size_t length(const Equation& equation) {
  return static_cast<std::size_t>(
      std::count_if(equation.terms.begin(), equation.terms.end(),
                    [](const Term& term) { return !term.factors.empty(); }));
}

}  // namespace

Colours report::colours(bool on) {
  return on ? Colours{"\033[1m", "\033[2m", "\033[0m"} : Colours{};
}

std::string report::name_cell(const std::string& name) {
  return shortened(visible(name), kLongestName);
}

std::string report::equation_cell(const Equation& equation, std::size_t width) {
  std::string text = visible(to_text(equation));
  if (display_width(text) <= width) return text;
  const std::string tail = fmt::format("… ({})", counted(length(equation), "term"));
  const std::size_t room = width - std::min(width, display_width(tail));
  return std::string(fitting_part(text, room)) + tail;
}

std::string report::equation_cell(const std::string& feature, Reason reason,
                                  const Equation& equation, std::size_t width) {
  const std::string indicator = feature + "=";
  if (reason != Reason::constant || !equation.target.starts_with(indicator)) {
    return equation_cell(equation, width);
  }
  return shortened(visible(feature + " = " + equation.target.substr(indicator.size())), width);
}

std::size_t report::equation_width(std::size_t before, const TextStyle& style) {
  return std::max(kNarrowestEquation, style.width - std::min(style.width, before));
}

std::string report::heading(std::string_view words, const Colours& colour) {
  return fmt::format("\n{}{}{}\n", colour.bold, words, colour.off);
}

std::string report::ignored_line(const std::vector<IgnoredColumn>& ignored,
                                 const TextStyle& style) {
  constexpr std::size_t most_named = 20;
  if (ignored.empty()) return "";
  std::vector<std::string> names;
  for (const IgnoredColumn& column : ignored) {
    if (names.size() == most_named) break;
    names.push_back(fmt::format("{} ({})", name_cell(column.name), name_of(column.reason)));
  }
  const std::size_t others = ignored.size() - names.size();
  return filled(fmt::format("set aside: {}{}", fmt::join(names, ", "),
                            others > 0 ? fmt::format(", and {} more", others) : ""),
                style.width, 2) +
         "\n";
}

std::string to_report(const SavedResult& result, const TextStyle& style) {
  return std::visit([&](const auto& held) { return to_report(held, style); }, result);
}

}  // namespace fsieve
