// Categories of many levels: those that few rows have are one level together, so that a category
// costs no more degrees of freedom than its rows can carry. The label plays no part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace fsieve::io::inline table {

// A category of at most so many levels stays as it is.
constexpr std::size_t kFewLevels = 10;
// More are never kept: each is a column to compute with.
constexpr std::size_t kMostKeptLevels = 100;
// What the level of all rare ones is called. A level of this name takes them in.
constexpr const char* kPooledLevel = "other";

using LevelCounts = std::unordered_map<std::string, std::uint64_t>;

// The least number of rows of a level that is not rare.
[[nodiscard]] std::uint64_t fewest_rows(std::uint64_t rows);

struct PooledLevels {
  std::vector<std::string> levels;  // in byte order
  bool pooled = false;              // kPooledLevel among them stands for all others
};

// All levels, where they are few, or at most one of them is rare; else those that are not.
[[nodiscard]] PooledLevels pooled_levels(const LevelCounts& counts, bool pool);

// Whether there are many levels, and all of them are rare.
[[nodiscard]] bool all_rare(const LevelCounts& counts);

}  // namespace fsieve::io::table
