#include "equation/near_twins.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace fsieve::inline equation {
namespace {

// What the other rows may leave of a column that is called equal.
constexpr double equal = 0.01;
// Of so many rows one that is wrong is outvoted.
constexpr std::size_t votes = 3;

double middle(std::array<double, votes> values) {
  std::nth_element(values.begin(), values.begin() + votes / 2, values.end());
  return values[votes / 2];
}

// A column less its usual value, and the rows by which others are compared with it.
struct Rare {
  std::vector<double> values;
  std::array<std::size_t, votes> usual{};
  std::array<std::size_t, votes> largest{};
  double squares = 0;  // about its mean
};

bool describe(const Sheet& sheet, std::size_t column, double usual, Rare& rare) {
  const double* const own = sheet.column(column);
  std::vector<std::size_t> others;
  std::size_t same = 0;
  double sum = 0;
  for (std::size_t i = 0; i < sheet.rows; ++i) {
    const double value = own[i] - usual;
    rare.values.push_back(value);
    sum += value;
    rare.squares += value * value;
    if (value != 0) {
      others.push_back(i);
    } else if (same < votes) {
      rare.usual[same++] = i;
    }
  }
  if (same < votes || others.size() < votes) return false;
  rare.squares -= sum * sum / static_cast<double>(sheet.rows);
  std::partial_sort(others.begin(), others.begin() + votes, others.end(),
                    [&](std::size_t a, std::size_t b) {
                      const double first = std::abs(rare.values[a]);
                      const double second = std::abs(rare.values[b]);
                      return first > second || (first == second && a < b);
                    });
  std::copy_n(others.begin(), votes, rare.largest.begin());
  return true;
}

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
  double worst = 0;
  double others = 0;
  for (std::size_t i = 0; i < rare.values.size() && others <= equal * rare.squares; ++i) {
    const double left = (column[i] - usual) / unit - rare.values[i];
    others += std::min(worst, left * left);
    worst = std::max(worst, left * left);
  }
  return others <= equal * rare.squares ? worst : 0;
}

}  // namespace

double left_by_one_row(const Sheet& sheet, std::size_t column, double usual) {
  Rare rare;
  if (!describe(sheet, column, usual, rare)) return 0;
  double worst = 0;
  for (std::size_t c = 0; c < sheet.columns(); ++c) {
    if (c != column) worst = std::max(worst, worst_square(rare, sheet.column(c)));
  }
  return worst / (rare.squares + worst);
}

}  // namespace fsieve::equation
