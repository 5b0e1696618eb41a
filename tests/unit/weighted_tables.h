// Random small tables of every kind, with weights of their rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tables.h"

namespace fsieve::testing {

// How far a weighted row may be from as many rows.
inline constexpr double digits = 1e-9;

struct Table {
  Columns columns;
  std::vector<std::size_t> levels;
  std::vector<double> weights;  // whole numbers

  [[nodiscard]] std::size_t rows() const { return columns[0].size(); }
};

// Has the random table more columns than rows?
inline bool is_wide(std::uint64_t seed) { return seed % 5 == 0; }

// Real, two-valued and categorical columns, copies, constants, combinations and products of others;
// sometimes more columns than rows.
inline Table random_table(std::uint64_t seed) {
  Random random(seed);
  Table table;
  const bool wide = is_wide(seed);
  const std::size_t n = wide ? 8 + random.below(6) : 12 + random.below(50);
  const std::size_t d = wide ? 10 + random.below(8) : 3 + random.below(6);
  for (std::size_t j = 0; j < d; ++j) {
    const std::size_t kind = j < 2 ? random.below(4) : random.below(10);
    const auto earlier = [&] { return table.columns[random.below(j)]; };
    std::size_t levels = 0;
    switch (kind) {
      case 0:
      case 1:
        table.columns.push_back(random.normals(n));
        break;
      case 2:
        table.columns.push_back(random.signs(n, 0.4));
        break;
      case 3:
        table.columns.push_back(random.codes(n, 2));
        break;
      case 4:
        table.columns.push_back(product(earlier(), earlier()));
        break;
      case 5:
        table.columns.push_back(sum(2, earlier(), -0.5, earlier()));
        break;
      case 6:
        table.columns.push_back(earlier());
        break;
      case 7:
        table.columns.emplace_back(n, 3.0);
        break;
      case 8:
        levels = 2 + random.below(3);
        table.columns.push_back(random.codes(n, levels));
        break;
      default:
        table.columns.push_back(sum(1, earlier(), 0.2, random.normals(n)));
        break;
    }
    table.levels.push_back(levels);
  }
  for (std::size_t i = 0; i < n; ++i) {
    table.weights.push_back(static_cast<double>(random.below(5)));
  }
  return table;
}

inline MemorySource unweighted(const Table& table) {
  return testing::table(table.columns, table.levels);
}

inline MemorySource weighted(const Table& table) {
  const MemorySource rows = unweighted(table);
  return {rows.schema(),
          {rows.in_memory().begin(), rows.in_memory().end()},
          rows.rows(),
          table.weights};
}

// Every row as often as its weight says.
inline MemorySource repeated(const Table& table) {
  Columns columns(table.columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    for (std::size_t i = 0; i < table.rows(); ++i) {
      columns[j].insert(columns[j].end(), static_cast<std::size_t>(table.weights[i]),
                        table.columns[j][i]);
    }
  }
  return testing::table(columns, table.levels);
}

}  // namespace fsieve::testing
