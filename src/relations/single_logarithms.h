// Columns that are the logarithm of another, up to unit and origin.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "relations/relation.h"
#include "relations/view.h"

namespace fsieve::relations {

// Of `columns` in their order; none of those that are `gone`, whose logarithms others may be.
[[nodiscard]] std::vector<Relation> single_logarithms(
    const View& view, const std::vector<std::uint32_t>& columns,
    const std::function<bool(std::uint32_t)>& gone);

}  // namespace fsieve::relations
