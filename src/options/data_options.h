// The data options that every reading command has.
#pragma once

#include "fsieve/io.h"
#include "options/option_values.h"

namespace fsieve {

// Throws Error(usage) on values that are malformed or contradict each other.
[[nodiscard]] ReadOptions read_options(const OptionValues& values);

}  // namespace fsieve
