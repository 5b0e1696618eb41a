#include "relations/copies.h"

#include <algorithm>
#include <cmath>

#include "base/stop.h"

namespace fsieve::relations {
namespace {

// Standardised values that differ by less are equal: what the last digits of a file leave.
constexpr double equal = 1e-7;

}  // namespace

std::vector<std::vector<std::uint32_t>> same_up_to_unit(const Sheet& sheet,
                                                        const std::vector<std::uint32_t>& columns) {
  const std::size_t n = sheet.rows;
  std::vector<double> values;
  values.reserve(columns.size() * n);
  for (const std::uint32_t c : columns) {
    stop_if_asked();
    values.insert(values.end(), sheet.column(c), sheet.column(c) + n);
  }
  std::vector<double> deviations;
  values = standardised(sheet, std::move(values), deviations);

  // Equal columns have equal sums with any weights: sorted by one such sum, only neighbours need
  // be compared. The sign makes the sum positive, so that opposite columns are equal too.
  struct Entry {
    double key;
    std::size_t column;
  };
  std::vector<Entry> entries;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    stop_if_asked();
    if (deviations[k] == 0) continue;
    double* own = values.data() + k * n;
    double key = 0;
    for (std::size_t i = 0; i < n; ++i) key += own[i] * std::sin(static_cast<double>(i * i + 1));
    key /= std::sqrt(static_cast<double>(n));
    if (key < 0) {
      for (std::size_t i = 0; i < n; ++i) own[i] = -own[i];
    }
    entries.push_back({std::abs(key), k});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.key != b.key ? a.key < b.key : a.column < b.column;
  });
  const auto same = [&](std::size_t a, std::size_t b) {
    for (std::size_t i = 0; i < n; ++i) {
      if (std::abs(values[i + a * n] - values[i + b * n]) > 10 * equal) return false;
    }
    return true;
  };
  std::vector<std::vector<std::uint32_t>> groups;
  std::vector<char> done(columns.size());
  for (std::size_t e = 0; e < entries.size(); ++e) {
    stop_if_asked();
    if (done[entries[e].column] != 0) continue;
    std::vector<std::uint32_t> group{columns[entries[e].column]};
    for (std::size_t f = e + 1; f < entries.size() && entries[f].key - entries[e].key <= equal;
         ++f) {
      if (done[entries[f].column] != 0 || !same(entries[e].column, entries[f].column)) continue;
      done[entries[f].column] = 1;
      group.push_back(columns[entries[f].column]);
    }
    if (group.size() > 1) groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace fsieve::relations
