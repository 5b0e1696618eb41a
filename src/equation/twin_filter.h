// Which columns may be near twins of a rare one, by the six rows that tell most: many at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fsieve::inline equation {

// Of so many rows one that is wrong is outvoted.
inline constexpr std::size_t votes = 3;

// A rare column's rows of its usual value and of its largest ones, of some columns side by side.
struct TellingRows {
  std::array<const double*, votes> usual{};
  std::array<const double*, votes> largest{};
  std::array<double, votes> values{};  // of the rare column there, less its usual one
  double most = 0;                     // what all rows but the worst may leave, in its units
};

// Those of `count` columns of which these rows do not say clearly that they are no twins.
void find_possible_twins(const TellingRows& rows, std::size_t count,
                         std::vector<std::uint32_t>& found);

}  // namespace fsieve::equation
