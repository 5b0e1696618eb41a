#include "base/nearest.h"

#include <algorithm>

#include "base/edit_distance.h"

namespace fsieve::inline base {
namespace {

bool same_letters(std::string_view a, std::string_view b) {
  return std::is_permutation(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

std::string_view nearest(std::string_view typed, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(2, typed.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    // The beginning of a word is a good guess too: --eps.
    const bool begun = typed.size() >= 2 && candidate.starts_with(typed);
    const std::size_t d = begun ? 1 : edit_distance(typed, candidate, best_distance);
    // Fingers swap letters more often than they replace them: --lable is no --table.
    const bool swapped = d == best_distance && !best.empty() && same_letters(typed, candidate) &&
                         !same_letters(typed, best);
    if ((d < best_distance || swapped) && d < std::max(typed.size(), candidate.size())) {
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

}  // namespace fsieve::base
