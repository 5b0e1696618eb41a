// The options of `select` that say how features and label are looked at.
#pragma once

#include "app/option_values.h"
#include "fsieve/selection_manner.h"

namespace fsieve::inline app {

[[nodiscard]] SelectionManner selection_manner(const OptionValues& values);

}  // namespace fsieve::app
