#include "options/nearest.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace fsieve {
namespace {

// Insertions, deletions, replacements and swaps of neighbours that lead from a to b.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      next[j] =
          std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        next[j] = std::min(next[j], before[j - 2] + 1);
      }
    }
    before.swap(row);
    row.swap(next);
  }
  return row.back();
}

}  // namespace

std::string_view nearest(std::string_view typed, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(2, typed.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    // The beginning of a word is a good guess too: --eps.
    const bool begun = typed.size() >= 2 && candidate.starts_with(typed);
    const std::size_t d = begun ? 1 : distance(typed, candidate);
    if (d < best_distance && d < std::max(typed.size(), candidate.size())) {
      best = candidate;
      best_distance = d;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view typed, std::string_view prefix,
                         std::span<const std::string_view> candidates) {
  const std::string_view found = nearest(typed, candidates);
  if (found.empty()) return "";
  return " (did you mean " + std::string(prefix) + std::string(found) + "?)";
}

}  // namespace fsieve
