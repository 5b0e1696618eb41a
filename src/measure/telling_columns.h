// Columns in an order that depends neither on where they stand nor on what is added beside them.
#pragma once

#include <cstddef>
#include <vector>

#include "data/label.h"
#include "fsieve/source.h"

namespace fsieve::inline measure {

// The features of a source in memory, those first that tell most of the label by themselves, and
// those that tell as much in byte order of their names.
[[nodiscard]] std::vector<std::size_t> by_telling(const Source& source, const Label& label);

}  // namespace fsieve::measure
