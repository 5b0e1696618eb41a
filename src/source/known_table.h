// Tables in memory that fsieve made itself, without the checks of MemorySource.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "fsieve/source.h"

namespace fsieve {

// What was read from a file or from a checked source is right already; and columns that only pass
// through (ReadOptions::needed) may hold NaN, which MemorySource would refuse.
[[nodiscard]] std::unique_ptr<MemorySource> known_table(Schema schema, std::vector<double> values,
                                                        std::size_t rows,
                                                        std::vector<double> weights = {});

}  // namespace fsieve
