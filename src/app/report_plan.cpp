#include "app/report_plan.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

#include "app/command_text.h"
#include "app/value_text.h"
#include "fsieve/error.h"

namespace fsieve::inline app {
namespace {

constexpr std::size_t kLargestRule = 6;
constexpr double kMostWork = 2e9;  // subsets times words of 64 rows
constexpr double kRowsOfAWord = 64;

// Data options are the same; of these every command has its own, or they change no result.
OptionValues same_table(Command command, const OptionValues& report) {
  constexpr std::array<std::string_view, 5> kOwn{"k", "output", "json", "quiet", "threads"};
  OptionValues values = given_for(command, report, kOwn);
  values.set("json", "");
  return values;
}

double subsets(const Source& source, std::size_t k) {
  double features = 0;  // a category is one feature per level
  for (const Column& column : source.schema().features) {
    features += column.levels.size() > 2 ? static_cast<double>(column.levels.size()) : 1;
  }
  double count = 1;
  for (std::size_t i = 0; i < k; ++i) {
    count *= (features - static_cast<double>(i)) / static_cast<double>(i + 1);
  }
  return count;
}

}  // namespace

OptionValues reduce_in_report(const OptionValues& report) {
  OptionValues values = same_table(Command::reduce, report);
  values.set("relations", "");
  return values;
}

OptionValues select_in_report(const OptionValues& report) {
  OptionValues values = same_table(Command::select, report);
  values.set("k", report.required("k"));
  return values;
}

OptionValues learn_in_report(const OptionValues& report, const Source& source, std::size_t k) {
  OptionValues values = same_table(Command::learn, report);
  const double words = static_cast<double>(source.rows()) / kRowsOfAWord + 1;
  values.set("k", std::to_string(k));
  values.set("binarize", "median");
  values.set("search", subsets(source, k) * words > kMostWork ? "beam:20" : "exhaustive");
  return values;
}

std::size_t rule_size(const OptionValues& report) {
  const std::size_t size = parse_whole("--rule-size", report.required("rule-size"));
  if (size <= kLargestRule) return size;
  throw Error(fmt::format("--rule-size: {} is not between 0 and {}", size, kLargestRule),
              Error::Kind::usage);
}

}  // namespace fsieve::app
