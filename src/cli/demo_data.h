// The table of the tour.
#pragma once

#include <memory>

#include "fsieve/source.h"

namespace fsieve::cli {

// 398 cars that never were: sizes and engines that belong together, the same quantity in two units,
// a product, a constant, a colour. Always the same.
[[nodiscard]] std::unique_ptr<MemorySource> demo_cars();

}  // namespace fsieve::cli
