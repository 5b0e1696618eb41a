// Options as texts: lines of NAME=VALUE (NAME alone: a flag) for every command, read by all that
// read them. The first byte chooses the command.
#include <utility>

#include "app/data_options.h"
#include "app/learn_options.h"
#include "app/method_options.h"
#include "app/parameters.h"
#include "app/value_text.h"
#include "fuzz_target.h"
#include "table/glob.h"

namespace fsieve::fuzz {
namespace {

OptionValues values_of(Command command, std::string_view lines) {
  OptionValues values(command);
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    const std::size_t equals = line.find('=');
    const OptionSpec* const option = find_option(command, line.substr(0, equals));
    if (option == nullptr) continue;
    values.set(option->name,
               equals == std::string_view::npos ? "" : std::string(line.substr(equals + 1)));
  }
  return values;
}

void read_reduce(const OptionValues& values, const ReadOptions& data) {
  switch (reduce_method(values)) {
    case ReduceMethod::uffs:
      static_cast<void>(reduce_parameters(uffs_options(values), data, {}, false));
      break;
    case ReduceMethod::gfs:
      static_cast<void>(reduce_parameters(gfs_options(values), data));
      break;
    case ReduceMethod::gfa:
      static_cast<void>(reduce_parameters(gfa_options(values), data));
      break;
  }
}

// What `text_of_value(parse(text))` gives is read as the same again.
template <typename Parse, typename Text>
void expect_round_trip(std::string_view text, const Parse& parse, const Text& text_of_value) {
  std::string written;
  if (!accepted([&] { written = text_of_value(parse("--x", text)); })) return;
  expect(text_of_value(parse("--x", written)) == written, "a value is written as it is read");
}

void read_alone(std::string_view text) {
  accepted([&] { static_cast<void>(parse_number("--x", text)); });
  accepted([&] { static_cast<void>(parse_whole("--x", text)); });
  accepted([&] { static_cast<void>(parse_numbers("--x", text)); });
  accepted([&] { static_cast<void>(parse_list("--x", text)); });
  accepted([&] { static_cast<void>(parse_count("--x", text)); });
  accepted([&] { static_cast<void>(parse_character("--x", text)); });
  accepted([&] { static_cast<void>(parse_size("--x", text)); });
  expect_round_trip(text, parse_rule, rule_text);
  expect_round_trip(text, parse_search, search_text);
  expect_round_trip(text, parse_rows, rows_text);
  expect_round_trip(text, parse_family, family_text);
  const std::size_t half = text.size() / 2;
  static_cast<void>(io::Glob(text.substr(0, half)).matches(text.substr(half)));
}

}  // namespace
}  // namespace fsieve::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fsieve;
  if (size == 0) return 0;
  const std::string_view text = fuzz::text_of(data + 1, size - 1);
  fuzz::read_alone(text);
  const auto commands = command_table();
  const Command command = commands[data[0] % commands.size()].command;
  if (find_option(command, "missing") == nullptr) return 0;  // a command that reads no table
  fuzz::accepted([&] {
    const OptionValues values = fuzz::values_of(command, text);
    const ReadOptions read = read_options(values);
    NoProgress quiet;
    static_cast<void>(run_context(values, quiet));
    if (command == Command::reduce) fuzz::read_reduce(values, read);
    if (command == Command::select) static_cast<void>(sffs_options(values));
    if (command == Command::learn) static_cast<void>(learn_parameters(junta_options(values), read));
    if (command == Command::bounds) static_cast<void>(bounds_options(values));
  });
  return 0;
}
