// Sizes beyond which work is done in another way, in one place.
#pragma once

namespace fsieve::inline base {

// A table of counts or sums of the next smaller subsets is kept up to this size; a larger one is
// made again tile by tile.
inline constexpr double most_table_bytes = 256.0 * (1 << 20);

}  // namespace fsieve::base
