// The guarantee of GFS for discrete features (003 Theorem 1).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "data/design.h"
#include "fsieve/gfs.h"
#include "span/greedy_basis.h"

namespace fsieve::inline methods {

// None unless every feature is discrete: two-valued or categorical. `columns` of the design are the
// features'. One pass over the data.
[[nodiscard]] std::optional<EntropyBound> entropy_bound(const Source& source, const Design& design,
                                                        std::size_t columns,
                                                        const GreedyBasis& basis,
                                                        const std::vector<bool>& chosen,
                                                        Progress& progress);

}  // namespace fsieve::methods
