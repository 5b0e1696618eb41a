// Every option of every command, once. The command line, its help and docs/options.md are read from
// this table; a test compares the Python parameters (python/fsieve/_parameters.py) with it.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fsieve::inline app {

enum class Command : unsigned {
  reduce = 1U << 0U,
  apply = 1U << 1U,
  show = 1U << 2U,
  generate = 1U << 3U,
  demo = 1U << 4U,
  options = 1U << 5U,  // hidden: prints this table
  select = 1U << 6U,
  learn = 1U << 7U,
  predict = 1U << 8U,
  bounds = 1U << 9U,
  report = 1U << 10U,
};

struct CommandSpec {
  Command command;
  std::string_view name;
  std::string_view purpose;    // one line
  std::string_view arguments;  // as in the usage line
  std::string_view details;    // a paragraph or two for --help
  std::string_view examples;   // lines "command|what it does"
  bool hidden = false;
};

// How the text of an option is read. The Python side uses the same names.
enum class OptionType {
  flag,         // no value
  text,         // as it is
  file,         // a path
  names,        // comma-separated column names
  globs,        // comma-separated patterns
  texts,        // comma-separated texts
  integer,      // a whole number, 0 or more
  number,       // a real number
  numbers,      // comma-separated real numbers
  choice,       // one of `choices`
  stages,       // depth[:group size],...
  rule,         // adjusted, paper or cumulative:S[,S...]
  rows,         // A:B
  size,         // bytes, with K, M, G or T
  character,    // one character, or \t
  count,        // a whole number above 0, or auto
  search,       // forward, union or beam:W
  reduction,    // none, or as stages
  family,       // multilinear:T, multilinear+squares:T, polynomial:T or functions
  expressions,  // functions of a and b; the option may be repeated
  subsets,      // exhaustive, greedy or beam:W
  cut,          // median, mean or a number
  groups,       // NAME=GLOB,...; the option may be repeated
  costs,        // comma-separated NAME=NUMBER
  sample        // a whole number of rows, or all
};

struct OptionSpec {
  std::string_view name;        // without the dashes; empty for positional arguments
  std::string_view short_name;  // one letter, or empty
  std::string_view key;         // in JSON "parameters" and as a Python keyword
  OptionType type = OptionType::text;
  std::string_view value;          // placeholder in the help
  std::string_view default_value;  // as a user would type it; empty: none
  std::string_view choices;        // separated by '|'
  std::string_view group;          // heading in the help
  std::string_view help;
  unsigned commands = 0;  // bits of Command
  bool positional = false;
  bool required = false;
  std::string_view methods = {};  // of `reduce` that have it, separated by '|'; empty: all
};

[[nodiscard]] std::span<const CommandSpec> command_table();
[[nodiscard]] std::span<const OptionSpec> option_table();

[[nodiscard]] const CommandSpec& spec_of(Command command);
[[nodiscard]] bool belongs_to(const OptionSpec& option, Command command);

// The option of this name (long, or of one letter) on this command; null: there is none.
[[nodiscard]] const OptionSpec* find_option(Command command, std::string_view name);

// As a user types it: "--epsilon", "-k".
[[nodiscard]] std::string dashed(std::string_view name);

// "names", "choice", ...
[[nodiscard]] std::string_view type_name(OptionType type);

}  // namespace fsieve::app
