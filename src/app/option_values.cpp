#include "app/option_values.h"

#include <fmt/format.h>

#include <utility>

#include "app/value_text.h"
#include "fsieve/error.h"
#include "fsieve/sample.h"

namespace fsieve::inline app {

void OptionValues::set(std::string_view name, std::string text) {
  given_.insert_or_assign(std::string(name), std::move(text));
}

bool OptionValues::given(std::string_view name) const { return given_.find(name) != given_.end(); }

std::optional<std::string> OptionValues::text(std::string_view name) const {
  if (const auto found = given_.find(name); found != given_.end()) return found->second;
  const OptionSpec* const spec = find_option(command_, name);
  if (spec == nullptr || spec->default_value.empty()) return std::nullopt;
  return std::string(spec->default_value);
}

std::string OptionValues::required(std::string_view name) const {
  if (auto found = text(name)) return *found;
  const OptionSpec* const spec = find_option(command_, name);
  const bool positional = spec != nullptr && spec->positional;
  throw Error(positional ? std::string(spec->value) + " is missing" : dashed(name) + " is missing",
              Error::Kind::usage);
}

std::size_t OptionValues::sample() const {
  const auto given = text("sample");
  return given ? parse_sample("--sample", *given) : automatic_sample;
}

double OptionValues::share(std::string_view name) const {
  const double value = parse_number(dashed(name), required(name));
  if (value > 0 && value < 1) return value;
  refuse(fmt::format("{}: {} is not between 0 and 1", dashed(name), value));
}

std::string OptionValues::choice(std::string_view name) const {
  const OptionSpec* const spec = find_option(command_, name);
  const std::string shown = spec->positional ? std::string(spec->value) : dashed(name);
  return parse_choice(shown, required(name), spec->choices);
}

}  // namespace fsieve::app
