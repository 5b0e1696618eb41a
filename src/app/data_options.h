// The data options that every reading command has.
#pragma once

#include "app/option_values.h"
#include "fsieve/io.h"

namespace fsieve::inline app {

// Throws Error(usage) on values that are malformed or contradict each other.
[[nodiscard]] ReadOptions read_options(const OptionValues& values);
// With the memory that the values allow.
[[nodiscard]] RunContext run_context(const OptionValues& values, Progress& progress);

}  // namespace fsieve::app
