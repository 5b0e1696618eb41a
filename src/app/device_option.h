// --device: which part of the machine a search runs on.
#pragma once

#include "app/option_values.h"
#include "fsieve/device.h"

namespace fsieve::inline app {

// "auto", "cpu", "cuda" or "cuda:N". Throws Error(usage) on anything else, and Error where a GPU is
// asked for that is not there: before a long file is read.
[[nodiscard]] Device device_option(const OptionValues& values);

}  // namespace fsieve::app
