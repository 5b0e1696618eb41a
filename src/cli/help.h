// Help texts, made from the table of options.
#pragma once

#include <string>

#include "app/option_table.h"

namespace fsieve::cli {

[[nodiscard]] std::string overview();
[[nodiscard]] std::string help(Command command);

}  // namespace fsieve::cli
