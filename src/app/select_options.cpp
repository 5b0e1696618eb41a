#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/device_option.h"
#include "app/method_options.h"
#include "app/value_text.h"
#include "basis/parity.h"

namespace fsieve::inline app {
namespace {

constexpr std::size_t kMostBins = 16;
constexpr std::size_t kMostFolds = 50;

std::size_t whole_between(const OptionValues& values, std::string_view name, std::size_t least,
                          std::size_t most) {
  const std::size_t value = parse_whole(dashed(name), values.required(name));
  if (value < least || value > most) {
    refuse(fmt::format("{}: {} is not between {} and {}", dashed(name), value, least, most));
  }
  return value;
}

std::optional<std::vector<Stage>> reduction(const OptionValues& values, Search search) {
  const std::string text = values.text("reduce").value_or(search == Search::unite ? "1" : "none");
  if (text == "none") return std::nullopt;
  return parse_stages("--reduce", text);
}

// "NAME=GLOB,GLOB", one per line.
std::vector<FeatureGroup> feature_groups(const OptionValues& values) {
  std::vector<FeatureGroup> groups;
  std::string text = values.text("group").value_or("");
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string one = text.substr(0, end);
    text.erase(0, end + 1);
    const std::size_t sign = one.find('=');
    if (sign == 0 || sign == std::string::npos || sign + 1 == one.size()) {
      refuse(fmt::format("--group: \"{}\" is not NAME=GLOB, as in blood=blood_*", one));
    }
    const std::string name = one.substr(0, sign);
    const auto same = [&](const FeatureGroup& group) { return group.name == name; };
    if (std::any_of(groups.begin(), groups.end(), same)) {
      refuse(fmt::format("--group: {} is given more than once", name));
    }
    groups.push_back({name, parse_list("--group", one.substr(sign + 1))});
  }
  return groups;
}

std::vector<FeatureCost> feature_costs(const OptionValues& values) {
  std::vector<FeatureCost> costs;
  if (!values.given("cost")) return costs;
  for (auto& [name, cost] : parse_named_numbers("--cost", values.required("cost"), "scan=2.5")) {
    costs.push_back({std::move(name), cost});
  }
  return costs;
}

std::vector<std::string> column_names(const OptionValues& values, std::string_view option) {
  if (!values.given(option)) return {};
  return parse_list(dashed(option), values.required(option));
}

void check_together(const SffsOptions& options) {
  if (options.search == Search::unite && !options.k && !options.best_size) {
    refuse("-k certain needs --search forward or beam: the union has no test to stop at");
  }
  if (options.folds == 1) refuse("--folds: one fold leaves no rows to learn from, give 0 or 2");
  if (options.best_size && options.folds == 0) {
    refuse("-k auto needs --folds: it takes the size that predicts best in cross-validation");
  }
  if (options.search != Search::unite && options.score == Score::l2) {
    refuse("--score l2 needs --search union: the forward search has a score of its own");
  }
  // B shuffles give no p-value below 1/(B + 1), and a step has two chances.
  const double least = std::ceil(2 / options.alpha) - 1;
  if (options.permutations > 0 && static_cast<double>(options.permutations) < least) {
    refuse(fmt::format("--permutations: {} can never convince at --alpha {}, give at least {}",
                       options.permutations, options.alpha, least));
  }
}

}  // namespace

SffsOptions sffs_options(const OptionValues& values) {
  SffsOptions options;
  options.k = parse_count("-k", values.required("k"));
  options.best_size = values.required("k") == "auto";
  options.depth = static_cast<int>(whole_between(values, "depth", 1, max_depth));
  const SearchChoice search = parse_search("--search", values.required("search"));
  options.search = search.search;
  options.beam = search.beam;
  options.score = values.choice("score") == "l2" ? Score::l2 : Score::l1;
  options.reduce = reduction(values, options.search);
  options.equations = !values.given("no-equations");
  if (values.given("bins")) options.bins = whole_between(values, "bins", 2, kMostBins);
  if (values.given("task")) {
    options.task = values.choice("task") == "regression" ? Task::regression : Task::classification;
  }
  options.top = parse_whole("--top", values.required("top"));
  options.alpha = values.share("alpha");
  options.permutations = parse_whole("--permutations", values.required("permutations"));
  options.scan_limit = parse_number("--scan-limit", values.required("scan-limit"));
  if (!(options.scan_limit > 0)) {
    refuse(fmt::format("--scan-limit: {} is not above 0", options.scan_limit));
  }
  options.delta = values.share("delta");
  options.folds = whole_between(values, "folds", 0, kMostFolds);
  options.sample = values.sample();
  options.seed = parse_whole("--seed", values.required("seed"));
  options.device = device_option(values);
  options.shape = values.choice("shape") == "plain" ? Shape::plain : Shape::curve;
  options.balanced = values.given("class-weight");
  options.robust = values.given("robust");
  options.keep = column_names(values, "keep");
  options.adjust = column_names(values, "adjust");
  options.groups = feature_groups(values);
  options.costs = feature_costs(values);
  options.stability = parse_whole("--stability", values.required("stability"));
  if (options.stability % 2 != 0) {
    refuse(
        fmt::format("--stability: {} is odd, but half-samples come in pairs", options.stability));
  }
  options.ranking = !values.given("no-ranking");
  if (!options.ranking && (values.given("table") || options.stability > 0)) {
    refuse(fmt::format("{} is told in the ranking: leave it out, or --no-ranking",
                       values.given("table") ? "--table" : "--stability"));
  }
  check_together(options);
  return options;
}

}  // namespace fsieve::app
