// The options of `select` that say how features and label are looked at.
#pragma once

#include "fsieve/selection_manner.h"
#include "options/option_values.h"

namespace fsieve {

[[nodiscard]] SelectionManner selection_manner(const OptionValues& values);

}  // namespace fsieve
