// How many rows decisions are prepared on, before they are checked on all.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fsieve {

// The values of a `sample` option that are no number of rows.
inline constexpr std::size_t automatic_sample = 0;  // as many as tell, all of a table of fewer
inline constexpr std::size_t every_row = SIZE_MAX;

// On fewer rows nothing can be prepared.
inline constexpr std::size_t smallest_sample = 100;

}  // namespace fsieve
