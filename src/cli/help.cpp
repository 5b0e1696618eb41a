#include "cli/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace fsieve::cli {
namespace {

constexpr std::size_t kWidth = 96;
constexpr std::size_t kHelpColumn = 26;

// `text` in lines that end before kWidth, all but the first indented.
std::string filled(std::string_view text, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (column > indent && column + 1 + end > kWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += text.substr(0, end);
    column += end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string entry(const std::string& left, const std::string& right) {
  std::string line = "  " + left;
  line += line.size() + 2 > kHelpColumn ? "\n" + std::string(kHelpColumn, ' ')
                                        : std::string(kHelpColumn - line.size(), ' ');
  return line + filled(right, kHelpColumn) + "\n";
}

std::string option_entry(const OptionSpec& option) {
  std::string left;
  if (option.positional) {
    left = option.value;
  } else {
    const bool short_only = option.short_name == option.name;
    left = short_only                  ? dashed(option.name)
           : option.short_name.empty() ? fmt::format("    --{}", option.name)
                                       : fmt::format("-{}, --{}", option.short_name, option.name);
    if (!option.value.empty()) left += fmt::format(" {}", option.value);
  }
  std::string right(option.help);
  if (!option.choices.empty() && option.choices != option.value) {
    std::string choices;
    for (const char c : option.choices) choices += c == '|' ? std::string(", ") : std::string(1, c);
    right += fmt::format(" ({})", choices);
  }
  if (!option.default_value.empty()) right += fmt::format(" [default: {}]", option.default_value);
  return entry(left, right);
}

std::string examples(std::string_view lines) {
  std::string text;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view line = lines.substr(0, end);
    const std::size_t bar = line.find('|');
    text += fmt::format("  {}\n      {}\n", line.substr(0, bar), line.substr(bar + 1));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return text;
}

std::vector<std::string_view> groups_of(Command command) {
  std::vector<std::string_view> groups;
  for (const OptionSpec& option : option_table()) {
    if (!belongs_to(option, command)) continue;
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) {
      groups.push_back(option.group);
    }
  }
  return groups;
}

}  // namespace

std::string overview() {
  std::string text =
      "fsieve: which features of a table are redundant, which predict a label, and why\n\n"
      "Usage: fsieve COMMAND [options]\n\n"
      "Commands:\n";
  for (const CommandSpec& command : command_table()) {
    if (!command.hidden) text += fmt::format("  {:<10} {}\n", command.name, command.purpose);
  }
  text +=
      "\nfsieve COMMAND --help says more about a command, fsieve --version about this program.\n\n"
      "Examples:\n";
  return text +
         examples(
             "fsieve demo|a one-minute tour, no data needed\n"
             "fsieve reduce cars.csv|which columns are functions of others?\n"
             "fsieve reduce cars.csv -o small.csv --save result.json|keep the rest, and the "
             "result\n"
             "fsieve select cars.csv --label price -k 5|which five columns predict the "
             "price best?\n"
             "fsieve learn votes.csv --label party -k 3|the three votes that tell the party, "
             "and the rule");
}

std::string help(Command command) {
  const CommandSpec& spec = spec_of(command);
  std::string text = fmt::format("fsieve {}: {}\n\nUsage: fsieve {} {}\n", spec.name, spec.purpose,
                                 spec.name, spec.arguments);
  if (!spec.details.empty()) text += fmt::format("\n{}\n", spec.details);
  for (const std::string_view group : groups_of(command)) {
    text += fmt::format("\n{}:\n", group);
    for (const OptionSpec& option : option_table()) {
      if (belongs_to(option, command) && option.group == group) text += option_entry(option);
    }
  }
  text += entry("-h, --help", "this text");
  return text + "\nExamples:\n" + examples(spec.examples);
}

}  // namespace fsieve::cli
