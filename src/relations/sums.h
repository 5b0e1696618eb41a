// Exact linear relations.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "relations/relation.h"
#include "relations/view.h"

namespace fsieve::relations {

// Among these columns; those that `may_go` are written by the others.
[[nodiscard]] std::vector<Relation> linear_relations(
    const View& view, std::vector<std::uint32_t> columns,
    const std::function<bool(std::uint32_t column)>& may_go);

}  // namespace fsieve::relations
