// Columns that are products of powers of others: linear relations of logarithms.
#pragma once

#include <cstdint>
#include <vector>

#include "relations/relation.h"
#include "relations/view.h"

namespace fsieve::relations {

// Among these columns, which have no zeros.
[[nodiscard]] std::vector<Relation> power_relations(const View& view,
                                                    const std::vector<std::uint32_t>& columns);

}  // namespace fsieve::relations
