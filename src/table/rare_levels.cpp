#include "table/rare_levels.h"

#include <algorithm>
#include <utility>

namespace fsieve::io::inline table {
namespace {

std::uint64_t rows_of(const LevelCounts& counts) {
  std::uint64_t rows = 0;
  for (const auto& [level, count] : counts) rows += count;
  return rows;
}

}  // namespace

std::uint64_t fewest_rows(std::uint64_t rows) {
  // Ten rows tell the mean of a level to a third of a deviation; in small tables one row in twenty
  // must do.
  return std::clamp<std::uint64_t>(rows / 20, 2, 10);
}

PooledLevels pooled_levels(const LevelCounts& counts, bool pool) {
  const std::uint64_t fewest = fewest_rows(rows_of(counts));
  std::vector<std::pair<std::uint64_t, std::string>> frequent;
  for (const auto& [level, count] : counts) {
    if (count >= fewest) frequent.emplace_back(count, level);
  }
  if (frequent.size() > kMostKeptLevels) {
    std::sort(frequent.begin(), frequent.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    frequent.resize(kMostKeptLevels);
  }
  PooledLevels found;
  const std::size_t rare = counts.size() - frequent.size();
  found.pooled = pool && counts.size() > kFewLevels && rare > 1 && !frequent.empty();
  if (found.pooled) {
    for (const auto& [count, level] : frequent) found.levels.push_back(level);
    const auto& levels = found.levels;
    const bool taken = std::find(levels.begin(), levels.end(), kPooledLevel) != levels.end();
    if (!taken) found.levels.emplace_back(kPooledLevel);
  } else {
    for (const auto& [level, count] : counts) found.levels.push_back(level);
  }
  std::sort(found.levels.begin(), found.levels.end());
  return found;
}

bool all_rare(const LevelCounts& counts) {
  if (counts.size() <= kFewLevels) return false;
  const std::uint64_t fewest = fewest_rows(rows_of(counts));
  return std::all_of(counts.begin(), counts.end(),
                     [&](const auto& entry) { return entry.second < fewest; });
}

}  // namespace fsieve::io::table
