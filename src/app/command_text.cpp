#include "app/command_text.h"

#include <algorithm>

#include "base/shell_word.h"

namespace fsieve::inline app {
namespace {

std::string_view key_of(const OptionSpec& option) {
  return option.positional ? option.key : option.name;
}

}  // namespace

std::string command_text(const OptionValues& values) {
  std::string text = "fsieve " + std::string(spec_of(values.command()).name);
  for (const OptionSpec& option : option_table()) {
    if (!belongs_to(option, values.command()) || !values.given(key_of(option))) continue;
    if (!option.positional) {
      text += ' ';
      text += dashed(option.short_name.empty() ? option.name : option.short_name);
    }
    if (option.type == OptionType::flag) continue;
    text += ' ';
    text += shell_word(values.required(key_of(option)));
  }
  return text;
}

OptionValues given_for(Command command, const OptionValues& values,
                       std::span<const std::string_view> except) {
  OptionValues others(command);
  for (const OptionSpec& option : option_table()) {
    if (!belongs_to(option, command)) continue;
    const std::string_view name = key_of(option);
    if (!values.given(name)) continue;
    if (std::find(except.begin(), except.end(), name) != except.end()) continue;
    others.set(name, values.required(name));
  }
  return others;
}

}  // namespace fsieve::app
