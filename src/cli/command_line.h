// The words of a command line, understood.
#pragma once

#include <string>
#include <vector>

#include "app/option_values.h"

namespace fsieve::cli {

struct CommandLine {
  enum class Action { overview, version, help, run };

  Action action = Action::run;
  OptionValues values;
};

// Throws Error(usage), with the nearest right word where there is one.
[[nodiscard]] CommandLine parse_command_line(const std::vector<std::string>& arguments);

}  // namespace fsieve::cli
