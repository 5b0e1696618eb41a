// Two-valued columns that are products of others: every factor can be written by the others.
#pragma once

#include <cstdint>
#include <vector>

#include "relations/relation.h"
#include "relations/view.h"

namespace fsieve::relations {

// Among these columns, all of which have two values.
[[nodiscard]] std::vector<Relation> two_valued_relations(const View& view,
                                                         std::vector<std::uint32_t> columns);

}  // namespace fsieve::relations
