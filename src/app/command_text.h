// Options back to the words that a user would type.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/option_values.h"

namespace fsieve::inline app {

// "fsieve reduce 'my cars.csv' --label price": what was given, for a shell.
[[nodiscard]] std::string command_text(const OptionValues& values);

// What was given for another command, as far as `command` has options of the same names, but for
// those in `except`.
[[nodiscard]] OptionValues given_for(Command command, const OptionValues& values,
                                     std::span<const std::string_view> except);

}  // namespace fsieve::app
