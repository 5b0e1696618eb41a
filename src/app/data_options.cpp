#include "app/data_options.h"

#include <fmt/format.h>

#include "app/value_text.h"
#include "fsieve/error.h"

namespace fsieve::inline app {
namespace {

std::vector<std::string> list(const OptionValues& values, std::string_view name) {
  const auto text = values.text(name);
  return text ? parse_list("--" + std::string(name), *text) : std::vector<std::string>{};
}

}  // namespace

ReadOptions read_options(const OptionValues& values) {
  ReadOptions options;
  options.label = values.text("label");
  if (options.label && options.label->empty()) {
    throw Error("--label: the name is empty", Error::Kind::usage);
  }
  options.columns = list(values, "columns");
  options.exclude = list(values, "exclude");
  options.categorical = list(values, "categorical");
  options.na = list(values, "na");
  // Commands that learn from a table set aside what nothing can be learned from.
  options.set_aside = find_option(values.command(), "use") != nullptr;
  options.pool_levels = options.set_aside;
  if (options.set_aside) options.use = list(values, "use");
  for (const std::string_view name : {"keep", "adjust", "protect"}) {
    if (find_option(values.command(), name) == nullptr) continue;
    const std::vector<std::string> named = list(values, name);
    options.named.insert(options.named.end(), named.begin(), named.end());
  }

  const std::string missing = values.choice("missing");
  options.missing = missing == "drop"   ? Missing::drop
                    : missing == "mean" ? Missing::mean
                                        : Missing::error;

  if (const auto text = values.text("delimiter")) {
    options.delimiter = parse_character("--delimiter", *text);
  }
  if (const auto text = values.text("decimal")) {
    if (*text != "," && *text != ".") {
      throw Error(fmt::format("--decimal: \"{}\" is neither a point nor a comma", *text),
                  Error::Kind::usage);
    }
    options.decimal = text->front();
  }
  if (values.given("header") && values.given("no-header")) {
    throw Error("--header and --no-header contradict each other", Error::Kind::usage);
  }
  if (values.given("header")) options.header = true;
  if (values.given("no-header")) options.header = false;

  // `generate` and `bounds` have another option of this name.
  const OptionSpec* const rows = find_option(values.command(), "rows");
  if (rows != nullptr && rows->type == OptionType::rows && values.given("rows")) {
    const auto text = values.text("rows");
    const RowRange range = parse_rows("--rows", *text);
    options.first_row = range.first;
    options.last_row = range.last;
  }
  return options;
}

RunContext run_context(const OptionValues& values, Progress& progress) {
  RunContext context(progress);
  context.memory = parse_size("--memory", values.required("memory"));
  return context;
}

}  // namespace fsieve::app
