// The order in which a walk looks at the features that relations leave.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "relations/view.h"

namespace fsieve::relations {

// The features that are left, those that others are built from first. What is redundant up to
// epsilon comes last: a walk in this order then keeps as few as it can. What ties stays in the
// order of `columns`, which are all. `uses`: in how many relations a column is used.
[[nodiscard]] std::vector<std::size_t> walking_order(
    const View& view, const std::vector<std::uint32_t>& columns,
    const std::function<bool(std::uint32_t column)>& gone,
    const std::map<std::uint32_t, std::size_t>& uses);

}  // namespace fsieve::relations
