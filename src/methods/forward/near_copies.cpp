#include "methods/forward/near_copies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "base/parallel.h"
#include "base/random_numbers.h"
#include "source/whole_table.h"

namespace fsieve::inline methods {
namespace {

constexpr double tolerance = 1e-4;  // of the spread
// Of the distance to the next value where half of the rows have the same: what rounding to single
// precision does. The rest may be a code, such as 999999, beside which the other column says
// something in small numbers.
constexpr double single_precision = 1e-6;
// Projections of the standardised columns on random directions are about normal numbers. Those of
// near copies hardly differ, so few pairs have to be looked at row by row.
constexpr std::size_t directions = 3;
constexpr double near_enough = 10 * tolerance;
constexpr std::uint32_t purpose = 0x636f70;

// No single large value says how far values are from each other.
struct Spread {
  double half = 0;  // of the rows are so near to the middle one
  double next = std::numeric_limits<double>::infinity();  // the nearest other value

  // How far a copy may be off.
  [[nodiscard]] double allowed() const {
    return half > 0 ? tolerance * half : single_precision * next;
  }
};

Spread spread_of(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  const double typical = *middle;
  Spread spread;
  for (double& value : sorted) {
    value = std::abs(value - typical);
    if (value > 0) spread.next = std::min(spread.next, value);
  }
  std::nth_element(sorted.begin(), middle, sorted.end());
  spread.half = *middle;
  return spread;
}

std::size_t different_values(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return static_cast<std::size_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
}

struct NumberColumn {
  std::size_t feature = 0;
  std::span<const double> values;
  double mean = 0;
  double deviation = 0;
  std::array<double, directions> on{};  // sizes: a copy may be turned around
};

// Sum of term(i) over the rows, in lanes that a compiler can put side by side.
template <class Term>
double sum_of(std::size_t rows, const Term& term) {
  constexpr std::size_t lanes = 8;
  double sums[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= rows; i += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) sums[l] += term(i + l);
  }
  for (; i < rows; ++i) sums[0] += term(i);
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

NumberColumn described(std::size_t feature, std::span<const double> values,
                       const std::vector<double>& random) {
  NumberColumn column{feature, values};
  const std::size_t rows = values.size();
  const double mean =
      sum_of(rows, [&](std::size_t i) { return values[i]; }) / static_cast<double>(rows);
  const double squares =
      sum_of(rows, [&](std::size_t i) { return (values[i] - mean) * (values[i] - mean); });
  column.mean = mean;
  column.deviation = std::sqrt(squares / static_cast<double>(rows));
  for (std::size_t k = 0; k < directions; ++k) {
    const double* const direction = random.data() + k * rows;
    const double inner =
        sum_of(rows, [&](std::size_t i) { return (values[i] - mean) * direction[i]; });
    column.on[k] = std::abs(inner) / std::sqrt(squares);
  }
  return column;
}

bool may_be_alike(const NumberColumn& a, const NumberColumn& b) {
  return std::equal(a.on.begin(), a.on.end(), b.on.begin(),
                    [](double x, double y) { return std::abs(x - y) <= near_enough; });
}

// In units of their deviations. A column half of whose rows are equal is the one that a copy, which
// rounding spreads a little, is compared with.
bool alike(const NumberColumn& a, const NumberColumn& b) {
  const Spread of_a = spread_of(a.values);
  const Spread of_b = spread_of(b.values);
  const double by_a = of_a.allowed() / a.deviation;
  const double by_b = of_b.allowed() / b.deviation;
  const double most = (of_a.half > 0) == (of_b.half > 0) ? std::min(by_a, by_b)
                      : of_a.half > 0                    ? by_b
                                                         : by_a;
  const auto holds = [&](double sign) {
    for (std::size_t i = 0; i < a.values.size(); ++i) {
      const double x = (a.values[i] - a.mean) / a.deviation;
      const double y = sign * (b.values[i] - b.mean) / b.deviation;
      if (!(std::abs(x - y) <= most)) return false;
    }
    return true;
  };
  return holds(1) || holds(-1);
}

std::vector<NumberColumn> number_columns(const SupervisedData& data) {
  const std::size_t rows = data.rows();
  std::vector<double> random(directions * rows);
  const RandomNumbers numbers(0, purpose);
  in_parallel(rows, [&](std::size_t i) {
    for (std::size_t k = 0; k < directions; ++k) {
      random[k * rows + i] = numbers.normal(i, static_cast<std::uint32_t>(k))[0];
    }
  });
  const Block all = whole_table(*data.source);
  std::vector<NumberColumn> columns;
  for (const std::size_t feature : data.features) {
    const bool one = data.plain_end(feature) == data.design.features[feature].first + 1;
    const bool number = data.source->schema().features[feature].kind == ColumnKind::numeric;
    if (one && number) columns.push_back({feature, all.column(feature)});
  }
  in_parallel(columns.size(), [&](std::size_t k) {
    columns[k] = described(columns[k].feature, columns[k].values, random);
  });
  return columns;
}

}  // namespace

std::vector<std::size_t> without_near_copies(const SupervisedData& data) {
  std::vector<NumberColumn> columns = number_columns(data);
  std::sort(columns.begin(), columns.end(), [](const NumberColumn& a, const NumberColumn& b) {
    return a.on[0] != b.on[0] ? a.on[0] < b.on[0] : a.feature < b.feature;
  });
  std::vector<bool> copy(data.design.features.size());
  const auto plainer = [&](const NumberColumn& a, const NumberColumn& b) {
    const std::size_t in_a = different_values(a.values);
    const std::size_t in_b = different_values(b.values);
    return in_a != in_b ? in_a < in_b : a.feature < b.feature;
  };
  for (std::size_t a = 0; a < columns.size(); ++a) {
    for (std::size_t b = a + 1; b < columns.size() && !copy[columns[a].feature]; ++b) {
      if (columns[b].on[0] - columns[a].on[0] > near_enough) break;
      if (copy[columns[b].feature] || !may_be_alike(columns[a], columns[b])) continue;
      if (!alike(columns[a], columns[b])) continue;
      copy[plainer(columns[a], columns[b]) ? columns[b].feature : columns[a].feature] = true;
    }
  }
  std::vector<std::size_t> features = data.features;
  std::erase_if(features, [&](std::size_t feature) { return copy[feature]; });
  return features;
}

}  // namespace fsieve::methods
