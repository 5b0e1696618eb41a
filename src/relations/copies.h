// Columns that are the same up to unit and origin.
#pragma once

#include <cstdint>
#include <vector>

#include "equation/sheet.h"

namespace fsieve::relations {

// Groups of two and more of the given columns.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> same_up_to_unit(
    const Sheet& sheet, const std::vector<std::uint32_t>& columns);

}  // namespace fsieve::relations
