// The options of gfs and gfa.
#include <fmt/format.h>

#include "app/device_option.h"
#include "app/method_options.h"
#include "app/value_text.h"

namespace fsieve::inline app {
namespace {

Family family_of(const OptionValues& values) {
  Family family = parse_family("--family", values.required("family"));
  const auto expressions = values.text("function");
  if (family.kind != FamilyKind::functions && expressions) {
    refuse("--function goes with --family functions");
  }
  if (family.kind == FamilyKind::functions && !expressions) {
    refuse("--family functions needs a function, as in --function \"sin(a)\"");
  }
  if (expressions) family.functions = parse_functions("--function", *expressions);
  family.constant = !values.given("no-constant");
  return family;
}

void fill(const OptionValues& values, GreedyOptions& options) {
  options.family = family_of(values);
  if (const auto text = values.text("k")) {
    options.k = parse_whole("-k", *text);
    if (*options.k == 0) refuse("-k: 0 features are none; give 1 or more");
  }
  options.scale = values.choice("scale") == "none" ? Scale::none : Scale::standard;
  options.engine = engine_of(values);
  options.equations = !values.given("no-equations");
  options.device = device_option(values);
}

double threshold(const OptionValues& values, std::string_view name) {
  const double value = parse_number(dashed(name), values.required(name));
  if (!(value >= 0)) refuse(fmt::format("{}: {} is below 0", dashed(name), value));
  return value;
}

}  // namespace

GfsOptions gfs_options(const OptionValues& values) {
  GfsOptions options;
  fill(values, options);
  options.epsilon2 = threshold(values, "epsilon2");
  return options;
}

GfaOptions gfa_options(const OptionValues& values) {
  GfaOptions options;
  fill(values, options);
  options.delta = threshold(values, "delta");
  return options;
}

}  // namespace fsieve::app
