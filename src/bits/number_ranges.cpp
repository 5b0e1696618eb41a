#include "bits/number_ranges.h"

#include <algorithm>

namespace fsieve::inline bits {

void NumberRanges::add(NumberRange range) {
  const auto touching = std::find_if(ranges_.begin(), ranges_.end(), [&](const NumberRange& other) {
    return other.end >= range.first;
  });
  auto after = touching;
  for (; after != ranges_.end() && after->first <= range.end; ++after) {
    range.first = std::min(range.first, after->first);
    range.end = std::max(range.end, after->end);
  }
  ranges_.insert(ranges_.erase(touching, after), range);
}

bool NumberRanges::contains(std::uint64_t number) const {
  const auto after = std::upper_bound(
      ranges_.begin(), ranges_.end(), number,
      [](std::uint64_t value, const NumberRange& range) { return value < range.end; });
  return after != ranges_.end() && after->first <= number;
}

std::uint64_t NumberRanges::size() const {
  std::uint64_t total = 0;
  for (const NumberRange& range : ranges_) total += range.size();
  return total;
}

std::vector<NumberRange> NumberRanges::gaps(std::uint64_t total) const {
  std::vector<NumberRange> found;
  std::uint64_t from = 0;
  for (const NumberRange& range : ranges_) {
    if (from < range.first) found.push_back({from, range.first});
    from = range.end;
  }
  if (from < total) found.push_back({from, total});
  return found;
}

}  // namespace fsieve::bits
