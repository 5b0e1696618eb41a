#include "base/edit_distance.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace fsieve::inline base {

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() > longest_typed || b.size() > longest_typed) return limit;
  const std::size_t longer = std::max(a.size(), b.size());
  if (longer - std::min(a.size(), b.size()) >= limit) return limit;
  using Row = std::array<std::size_t, longest_typed + 1>;
  Row before{};
  Row row{};
  Row next{};
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
    before = row;
    row = next;
  }
  return std::min(row[b.size()], limit);
}

}  // namespace fsieve::base
