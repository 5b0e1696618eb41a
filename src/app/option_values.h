// What a user gave, by option name; the table supplies the defaults.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "app/option_table.h"

namespace fsieve::inline app {

class OptionValues {
 public:
  explicit OptionValues(Command command) : command_(command) {}

  [[nodiscard]] Command command() const { return command_; }

  // Flags are set with an empty text. Positional arguments go by their key.
  void set(std::string_view name, std::string text);

  [[nodiscard]] bool given(std::string_view name) const;

  // The text given, else the default of the table; none when there is neither.
  [[nodiscard]] std::optional<std::string> text(std::string_view name) const;

  // As text(); for options that have a default or are required.
  [[nodiscard]] std::string required(std::string_view name) const;

  // The value of --sample (fsieve/sample.h).
  [[nodiscard]] std::size_t sample() const;

  // A number between 0 and 1, neither of them.
  [[nodiscard]] double share(std::string_view name) const;

  // The text of a choice option, checked against the table.
  [[nodiscard]] std::string choice(std::string_view name) const;

 private:
  Command command_;
  std::map<std::string, std::string, std::less<>> given_;
};

}  // namespace fsieve::app
