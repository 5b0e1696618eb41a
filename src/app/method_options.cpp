#include "app/method_options.h"

#include <fmt/format.h>

#include <cmath>

#include "app/device_option.h"
#include "app/value_text.h"
#include "methods/uffs/stages.h"

namespace fsieve::inline app {
namespace {

constexpr std::size_t kAutoStages = 3;

// Is the method among those separated by '|'?
bool has_method(std::string_view methods, std::string_view method) {
  for (;;) {
    const std::size_t bar = methods.find('|');
    if (methods.substr(0, bar) == method) return true;
    if (bar == std::string_view::npos) return false;
    methods.remove_prefix(bar + 1);
  }
}

std::string in_words(std::string_view methods) {
  std::string words(methods);
  const std::size_t bar = words.find('|');
  if (bar != std::string::npos) words.replace(bar, 1, " or ");
  return words;
}

void check_length(std::string_view option, std::size_t given, const std::vector<Stage>& stages) {
  const std::size_t wanted = stages.empty() ? kAutoStages : stages.size();
  if (given == 1 || given == wanted) return;
  refuse(fmt::format("{}: {} values for {} stages; give one, or one per stage", option, given,
                     stages.empty() ? "the three automatic" : std::to_string(wanted)));
}

std::vector<double> epsilon_values(const OptionValues& values) {
  if (values.given("epsilon") && values.given("r2")) {
    refuse("--epsilon and --r2 say the same thing in two ways; give one of them");
  }
  if (const auto text = values.text("r2")) {
    std::vector<double> epsilon = parse_numbers("--r2", *text);
    for (double& value : epsilon) {
      if (!(value > 0 && value < 1)) refuse(fmt::format("--r2: {} is not between 0 and 1", value));
      value = std::sqrt(1 - value);
    }
    return epsilon;
  }
  std::vector<double> epsilon = parse_numbers("--epsilon", values.required("epsilon"));
  for (const double value : epsilon) {
    if (!(value > 0 && value < 1))
      refuse(fmt::format("--epsilon: {} is not between 0 and 1", value));
  }
  return epsilon;
}

Order order_of(const std::string& text) {
  if (text == "auto") return Order::automatic;
  if (text == "variance") return Order::variance;
  return text == "random" ? Order::random : Order::input;
}

}  // namespace

Engine engine_of(const OptionValues& values) {
  const std::string text = values.choice("engine");
  if (text == "gram") return Engine::gram;
  return text == "sample" ? Engine::sample : Engine::automatic;
}

ReduceMethod reduce_method(const OptionValues& values) {
  const std::string method = values.choice("method");
  for (const OptionSpec& option : option_table()) {
    if (!belongs_to(option, Command::reduce) || option.methods.empty()) continue;
    if (!values.given(option.name) || has_method(option.methods, method)) continue;
    refuse(fmt::format("{} goes with --method {}, not with {}{}", dashed(option.name),
                       in_words(option.methods), method,
                       values.given("method") ? "" : ", the default"));
  }
  if (method == "uffs") return ReduceMethod::uffs;
  return method == "gfs" ? ReduceMethod::gfs : ReduceMethod::gfa;
}

UffsOptions uffs_options(const OptionValues& values) {
  UffsOptions options;
  options.stages = parse_stages("--stages", values.required("stages"));
  options.epsilon = epsilon_values(values);
  check_length(values.given("r2") ? "--r2" : "--epsilon", options.epsilon.size(), options.stages);

  RuleChoice rule = parse_rule("--rule", values.required("rule"));
  options.rule = rule.rule;
  options.share = std::move(rule.share);
  if (options.rule == Rule::cumulative)
    check_length("--rule", options.share.size(), options.stages);

  options.order = order_of(values.choice("order"));
  if (values.given("groups")) {
    options.groups = values.choice("groups") == "own" ? Groups::own : Groups::any;
  }
  const Groups groups = effective_groups(options);
  if (options.rule == Rule::cumulative && groups == Groups::any) {
    refuse("--groups any does not go with --rule cumulative, which compares features of one group");
  }
  options.prune = values.given("prune");
  if (options.prune && groups == Groups::any) {
    refuse("--prune needs --groups own (groups of kept features have nothing to prune)");
  }
  options.engine = engine_of(values);
  options.equations = !values.given("no-equations");
  options.max_terms = parse_whole("--max-terms", values.required("max-terms"));
  if (options.max_terms == 0) refuse("--max-terms: an equation has at least 1 term");
  if (const auto names = values.text("protect")) options.protect = parse_list("--protect", *names);
  if (values.given("clusters")) options.clusters = values.share("clusters");
  options.sample = values.sample();
  options.seed = parse_whole("--seed", values.required("seed"));
  options.device = device_option(values);
  return options;
}

}  // namespace fsieve::app
