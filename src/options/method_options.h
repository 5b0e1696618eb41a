// The options of `reduce` that say how redundancy is judged, and those of `select`.
#pragma once

#include "fsieve/sffs.h"
#include "fsieve/uffs.h"
#include "options/option_values.h"

namespace fsieve {

// Throws Error(usage) on values that are malformed or do not fit together.
[[nodiscard]] UffsOptions uffs_options(const OptionValues& values);
[[nodiscard]] SffsOptions sffs_options(const OptionValues& values);

// `any` under the adjusted rule, `own` else, unless chosen.
[[nodiscard]] Groups effective_groups(const UffsOptions& options);

}  // namespace fsieve
