#include "equation/near_twins.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/parallel.h"

namespace fsieve::inline equation {
namespace {

// What the other rows may leave of a column that is called equal.
constexpr double equal = 0.01;
// Of so many rows one that is wrong is outvoted.
constexpr std::size_t votes = 3;

// Columns that are compared with all others together.
constexpr std::size_t at_once = 64;

double middle(const std::array<double, votes>& values) {
  const auto [a, b, c] = values;
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

// A column less its usual value, and the rows by which others are compared with it.
struct Rare {
  bool enough = false;  // are there such rows?
  std::vector<double> values;
  std::array<std::size_t, votes> usual{};
  std::array<std::size_t, votes> largest{};
  double squares = 0;  // about its mean
};

Rare describe(const Sheet& sheet, const RareColumn& column) {
  const double* const own = sheet.column(column.column);
  Rare rare;
  std::vector<std::size_t> others;
  std::size_t same = 0;
  double sum = 0;
  for (std::size_t i = 0; i < sheet.rows; ++i) {
    const double value = own[i] - column.usual;
    rare.values.push_back(value);
    sum += value;
    rare.squares += value * value;
    if (value != 0) {
      others.push_back(i);
    } else if (same < votes) {
      rare.usual[same++] = i;
    }
  }
  if (same < votes || others.size() < votes) return rare;
  rare.squares -= sum * sum / static_cast<double>(sheet.rows);
  std::partial_sort(others.begin(), others.begin() + votes, others.end(),
                    [&](std::size_t a, std::size_t b) {
                      const double first = std::abs(rare.values[a]);
                      const double second = std::abs(rare.values[b]);
                      return first > second || (first == second && a < b);
                    });
  std::copy_n(others.begin(), votes, rare.largest.begin());
  rare.enough = true;
  return rare;
}

// What is left in some rows: the largest square, and the sum of the others.
struct Left {
  double worst = 0;
  double others = 0;

  void add(double left) {
    others += std::min(worst, left * left);
    worst = std::max(worst, left * left);
  }
};

// The square that the worst row leaves of a column, in units of the rare one, where the other rows
// leave next to nothing; else 0.
double worst_square(const Rare& rare, const double* column) {
  std::array<double, votes> base{};
  std::array<double, votes> slope{};
  for (std::size_t k = 0; k < votes; ++k) base[k] = column[rare.usual[k]];
  const double usual = middle(base);
  for (std::size_t k = 0; k < votes; ++k) {
    slope[k] = (column[rare.largest[k]] - usual) / rare.values[rare.largest[k]];
  }
  const double unit = middle(slope);
  if (unit == 0) return 0;
  const auto left_in = [&](std::size_t row) {
    return (column[row] - usual) / unit - rare.values[row];
  };
  const double most = equal * rare.squares;
  // These rows alone tell most columns from the rare one.
  Left some;
  for (std::size_t k = 0; k < votes; ++k) {
    some.add(left_in(rare.usual[k]));
    some.add(left_in(rare.largest[k]));
  }
  constexpr double clearly = 1.001;  // beyond the rounding of sums in another order
  if (some.others > clearly * most) return 0;
  Left all;
  for (std::size_t i = 0; i < rare.values.size() && all.others <= most; ++i) all.add(left_in(i));
  return all.others <= most ? all.worst : 0;
}

}  // namespace

std::vector<double> left_by_one_row(const Sheet& sheet, std::span<const RareColumn> columns) {
  std::vector<double> shares(columns.size());
  in_parallel((columns.size() + at_once - 1) / at_once, [&](std::size_t part) {
    const std::size_t first = part * at_once;
    const std::size_t last = std::min(first + at_once, columns.size());
    std::vector<Rare> rare;
    for (std::size_t k = first; k < last; ++k) rare.push_back(describe(sheet, columns[k]));
    std::vector<double> worst(rare.size());
    for (std::size_t c = 0; c < sheet.columns(); ++c) {
      for (std::size_t k = 0; k < rare.size(); ++k) {
        if (!rare[k].enough || columns[first + k].column == c) continue;
        worst[k] = std::max(worst[k], worst_square(rare[k], sheet.column(c)));
      }
    }
    for (std::size_t k = 0; k < rare.size(); ++k) {
      if (rare[k].enough) shares[first + k] = worst[k] / (rare[k].squares + worst[k]);
    }
  });
  return shares;
}

}  // namespace fsieve::equation
