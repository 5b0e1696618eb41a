// A design as bytes, for statistics that are asked of rows elsewhere.
#pragma once

#include <iosfwd>

#include "data/design.h"

namespace fsieve::inline data {

void save_design(std::ostream& out, const Design& design);
[[nodiscard]] Design load_design(std::istream& in);

}  // namespace fsieve::data
