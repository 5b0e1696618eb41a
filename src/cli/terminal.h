// What is known about the terminal.
#pragma once

#include "fsieve/result.h"

namespace fsieve::cli {

[[nodiscard]] bool stdout_is_terminal();
[[nodiscard]] bool stderr_is_terminal();

// The terminal's width and colours when standard output is one; else 100 columns, plain.
[[nodiscard]] TextStyle report_style();

}  // namespace fsieve::cli
