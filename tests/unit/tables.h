// Small tables for the unit tests.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "fsieve/source.h"

namespace fsieve::testing {

using Columns = std::vector<std::vector<double>>;

// Numeric columns x1, x2, …; `levels[j]` > 0 makes column j categorical with that many levels.
inline MemorySource table(const Columns& columns, const std::vector<std::size_t>& levels = {}) {
  Schema schema;
  std::vector<double> values;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    Column column{fmt::format("x{}", j + 1), j, ColumnKind::numeric, {}};
    if (j < levels.size() && levels[j] > 0) {
      column.kind = ColumnKind::categorical;
      for (std::size_t k = 0; k < levels[j]; ++k) column.levels.push_back(std::string(1, 'a' + k));
    }
    schema.features.push_back(std::move(column));
    values.insert(values.end(), columns[j].begin(), columns[j].end());
  }
  const std::size_t rows = columns.empty() ? 0 : columns[0].size();
  return {std::move(schema), std::move(values), rows};
}

inline double inner(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}

  std::vector<double> normals(std::size_t n) {
    return fill(n, [&] { return normal_(bits_); });
  }
  // ±1, with the given chance of +1.
  std::vector<double> signs(std::size_t n, double chance = 0.5) {
    return fill(n, [&] { return uniform_(bits_) < chance ? 1.0 : -1.0; });
  }
  // Whole numbers 0 … levels − 1, each at least once.
  std::vector<double> codes(std::size_t n, std::size_t levels) {
    auto values = fill(n, [&] { return static_cast<double>(bits_() % levels); });
    for (std::size_t k = 0; k < levels; ++k) values[k] = static_cast<double>(k);
    return values;
  }
  double uniform() { return uniform_(bits_); }
  std::size_t below(std::size_t limit) { return bits_() % limit; }

 private:
  template <class Draw>
  static std::vector<double> fill(std::size_t n, const Draw& draw) {
    std::vector<double> values(n);
    for (double& value : values) value = draw();
    return values;
  }

  std::mt19937_64 bits_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_{0, 1};
};

inline std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] * b[i];
  return result;
}

inline std::vector<double> sum(double wa, const std::vector<double>& a, double wb,
                               const std::vector<double>& b) {
  std::vector<double> result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = wa * a[i] + wb * b[i];
  return result;
}

}  // namespace fsieve::testing
