#include "app/option_docs.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/option_table.h"
#include "fsieve/version.h"

namespace fsieve::inline app {
namespace {

// A bar would end the cell.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string option_name(const OptionSpec& option) {
  if (option.positional) return fmt::format("`{}`", cell(option.value));
  const std::string short_form = option.short_name.empty() || option.short_name == option.name
                                     ? ""
                                     : fmt::format("-{}, ", option.short_name);
  const std::string value = option.value.empty() ? "" : fmt::format(" {}", cell(option.value));
  return fmt::format("`{}{}{}`", short_form, dashed(option.name), value);
}

std::string option_default(const OptionSpec& option) {
  if (option.required) return "required";
  return option.default_value.empty() ? "" : fmt::format("`{}`", option.default_value);
}

std::string meaning(const OptionSpec& option) {
  std::string text = cell(option.help);
  // Where the placeholder already lists the choices, once is enough.
  if (!option.choices.empty() && option.choices != option.value) {
    text += fmt::format(" (`{}`)", cell(option.choices));
  }
  return text;
}

void append_command(std::string& page, const CommandSpec& command) {
  page += fmt::format("\n## fsieve {}\n\n{}{}.\n\n```\nfsieve {} {}\n```\n\n", command.name,
                      static_cast<char>(command.purpose[0] - 'a' + 'A'), command.purpose.substr(1),
                      command.name, command.arguments);
  page += "| option | default | meaning |\n|---|---|---|\n";
  for (const OptionSpec& option : option_table()) {
    if (!belongs_to(option, command.command)) continue;
    page += fmt::format("| {} | {} | {} |\n", option_name(option), option_default(option),
                        meaning(option));
  }
}

using json = nlohmann::ordered_json;

// What stands between the bars.
json parts(std::string_view rest) {
  json array = json::array();
  while (!rest.empty()) {
    const std::size_t bar = std::min(rest.find('|'), rest.size());
    array.push_back(rest.substr(0, bar));
    rest.remove_prefix(std::min(bar + 1, rest.size()));
  }
  return array;
}

}  // namespace

std::string options_markdown() {
  std::string page = "# Options\n\nWritten by `fsieve options --markdown`; do not edit.\n";
  for (const CommandSpec& command : command_table()) {
    if (!command.hidden) append_command(page, command);
  }
  return page;
}

std::string options_json() {
  json commands = json::array();
  for (const CommandSpec& command : command_table()) {
    if (command.hidden) continue;
    json options = json::array();
    for (const OptionSpec& option : option_table()) {
      if (!belongs_to(option, command.command)) continue;
      json entry{{"key", option.key},
                 {"option", option.positional ? json(nullptr) : json(dashed(option.name))},
                 {"type", type_name(option.type)},
                 {"required", option.required}};
      entry["default"] = option.default_value.empty() ? json(nullptr) : json(option.default_value);
      entry["choices"] = parts(option.choices);
      if (!option.methods.empty()) entry["methods"] = parts(option.methods);
      entry["group"] = option.group;
      entry["help"] = option.help;
      options.push_back(std::move(entry));
    }
    commands.push_back(
        {{"name", command.name}, {"purpose", command.purpose}, {"options", options}});
  }
  const json page{{"fsieve", version()},
                  {"schema", json_schema},
                  {"command", "options"},
                  {"commands", commands}};
  return page.dump(2) + "\n";
}

}  // namespace fsieve::app
