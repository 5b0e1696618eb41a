#include "cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <optional>

#include "app/value_text.h"
#include "base/nearest.h"

namespace fsieve::cli {
namespace {

using Words = std::vector<std::string>;

bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

// Options may stand before the command, so a value must not be taken for its name.
bool takes_next_word(const std::string& word) {
  if (word.find('=') != std::string::npos) return false;
  return std::any_of(option_table().begin(), option_table().end(), [&](const OptionSpec& option) {
    return !option.positional && option.type != OptionType::flag &&
           (word == fmt::format("--{}", option.name) ||
            (!option.short_name.empty() && word == fmt::format("-{}", option.short_name)));
  });
}

std::optional<std::size_t> command_position(const Words& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_option(words[i])) return i;
    if (takes_next_word(words[i])) ++i;
  }
  return std::nullopt;
}

Command command_named(const std::string& word) {
  std::vector<std::string_view> names;
  for (const CommandSpec& spec : command_table()) {
    if (spec.name == word) return spec.command;
    if (!spec.hidden) names.push_back(spec.name);
  }
  refuse(fmt::format("unknown command \"{}\"{}; see fsieve --help", word,
                     did_you_mean(word, "", names)));
}

std::string unknown_option(Command command, const std::string& word) {
  std::vector<std::string_view> names{"help"};
  for (const OptionSpec& option : option_table()) {
    if (!option.positional && belongs_to(option, command)) names.push_back(option.name);
  }
  const std::string name = word.substr(0, word.find('='));
  const std::string bare = name.substr(name.find_first_not_of('-'));
  return fmt::format("unknown option {}{}; see fsieve {} --help", name,
                     did_you_mean(bare, "--", names), spec_of(command).name);
}

CommandLine without_command(const Words& words) {
  for (const std::string& word : words) {
    if (word == "--version" || word == "-V") {
      return {CommandLine::Action::version, OptionValues(Command::demo)};
    }
    if (word == "--help" || word == "-h") {
      return {CommandLine::Action::overview, OptionValues(Command::demo)};
    }
  }
  if (words.empty()) refuse("no command; see fsieve --help");
  const std::vector<std::string_view> names{"help", "version"};
  const std::string bare =
      words[0].substr(std::min(words[0].find_first_not_of('-'), words[0].size()));
  refuse(fmt::format("no command, and {} is not an option by itself{}; see fsieve --help", words[0],
                     did_you_mean(bare, "--", names)));
}

// What the parser library fills for one option of the table.
struct Slot {
  const OptionSpec* spec = nullptr;
  std::vector<std::string> texts;
  bool flag = false;
};

void declare(CLI::App& app, Slot& slot) {
  const OptionSpec& spec = *slot.spec;
  if (spec.positional) return;  // taken from the words that are left over
  const std::string names = spec.short_name.empty()
                                ? fmt::format("--{}", spec.name)
                                : fmt::format("-{},--{}", spec.short_name, spec.name);
  if (spec.type == OptionType::flag) {
    app.add_flag(names, slot.flag)
        ->disable_flag_override()
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  } else {
    app.add_option(names, slot.texts)->allow_extra_args(false);
  }
}

bool is_list(OptionType type) {
  return type == OptionType::names || type == OptionType::globs || type == OptionType::texts ||
         type == OptionType::costs;
}

// Every time gives a value of its own.
bool is_repeated(OptionType type) {
  return type == OptionType::expressions || type == OptionType::groups;
}

void collect(const Slot& slot, OptionValues& values) {
  const OptionSpec& spec = *slot.spec;
  const std::string_view name = spec.positional ? spec.key : spec.name;
  if (spec.type == OptionType::flag) {
    if (slot.flag) values.set(name, "");
  } else if (is_repeated(spec.type) && !slot.texts.empty()) {
    values.set(name, fmt::format("{}", fmt::join(slot.texts, "\n")));
  } else if (slot.texts.size() == 1 || (is_list(spec.type) && !slot.texts.empty())) {
    values.set(name, fmt::format("{}", fmt::join(slot.texts, ",")));
  } else if (slot.texts.size() > 1) {
    refuse(fmt::format("{} is given more than once", dashed(name)));
  } else if (spec.required) {
    const std::string what =
        spec.positional ? std::string(spec.value) : fmt::format("{} {}", dashed(name), spec.value);
    refuse(
        fmt::format("{} is missing; see fsieve {} --help", what, spec_of(values.command()).name));
  }
}

// Words that belong to no option are the arguments, in the order of the table.
void take_positional(const Words& words, Command command, std::deque<Slot>& slots) {
  const auto unknown = std::find_if(words.begin(), words.end(), is_option);
  if (unknown != words.end()) refuse(unknown_option(command, *unknown));
  auto word = words.begin();
  for (Slot& slot : slots) {
    if (slot.spec->positional && word != words.end()) slot.texts.push_back(*word++);
  }
  if (word != words.end()) {
    refuse(fmt::format("unexpected argument \"{}\"; see fsieve {} --help", *word,
                       spec_of(command).name));
  }
}

// The library's sentences are for programmers; ours say what to do.
void parse(CLI::App& app, Words words) {
  std::reverse(words.begin(), words.end());
  try {
    app.parse(std::move(words));
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string what = error.what();
    const bool flag = what.find("flag") != std::string::npos;
    const std::string name = what.substr(0, what.find_first_of(": "));
    const std::string option =
        dashed(name.substr(std::min(name.find_first_not_of('-'), name.size())));
    refuse(flag ? fmt::format("{} takes no value", option)
                : fmt::format("{} needs a value", option));
  } catch (const CLI::ParseError& error) {
    refuse(error.what());
  }
}

}  // namespace

CommandLine parse_command_line(const Words& arguments) {
  const auto position = command_position(arguments);
  if (!position) return without_command(arguments);
  const Command command = command_named(arguments[*position]);
  Words words = arguments;
  words.erase(words.begin() + static_cast<std::ptrdiff_t>(*position));

  CLI::App app;
  bool help = false;
  app.set_help_flag();
  app.allow_extras();
  app.add_flag("-h,--help", help)->disable_flag_override();
  std::deque<Slot> slots;  // the library keeps their addresses
  for (const OptionSpec& option : option_table()) {
    if (!belongs_to(option, command)) continue;
    slots.push_back({&option, {}, false});
    declare(app, slots.back());
  }
  parse(app, std::move(words));

  CommandLine line{CommandLine::Action::run, OptionValues(command)};
  if (help) {
    line.action = CommandLine::Action::help;
    return line;
  }
  take_positional(app.remaining(), command, slots);
  for (const Slot& slot : slots) collect(slot, line.values);
  return line;
}

}  // namespace fsieve::cli
