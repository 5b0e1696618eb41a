// The options of `reduce` that say how redundancy is judged, and those of `select`.
#pragma once

#include "app/option_values.h"
#include "fsieve/gfs.h"
#include "fsieve/sffs.h"
#include "fsieve/uffs.h"

namespace fsieve::inline app {

enum class ReduceMethod { uffs, gfs, gfa };

// Throws Error(usage) where an option of another method is given.
[[nodiscard]] ReduceMethod reduce_method(const OptionValues& values);

// Throw Error(usage) on values that are malformed or do not fit together.
[[nodiscard]] UffsOptions uffs_options(const OptionValues& values);
[[nodiscard]] GfsOptions gfs_options(const OptionValues& values);
[[nodiscard]] GfaOptions gfa_options(const OptionValues& values);
[[nodiscard]] SffsOptions sffs_options(const OptionValues& values);

[[nodiscard]] Engine engine_of(const OptionValues& values);

}  // namespace fsieve::app
