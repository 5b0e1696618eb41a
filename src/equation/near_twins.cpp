#include "equation/near_twins.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/parallel.h"
#include "equation/twin_filter.h"

namespace fsieve::inline equation {
namespace {

// What the other rows may leave of a column that is called equal.
constexpr double equal = 0.01;
// Values of columns that stand side by side for the filter.
constexpr std::size_t block_values = std::size_t{1} << 17U;

double middle(const std::array<double, votes>& values) {
  const auto [a, b, c] = values;
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

// A column of one usual value, and the rows by which others are compared with it.
struct Rare {
  bool enough = false;  // are there such rows?
  std::span<const double> column;
  double typical = 0;
  std::array<std::size_t, votes> usual{};
  std::array<std::size_t, votes> largest{};
  double squares = 0;  // about its mean

  // What the rows but the worst may leave of a column that is called equal.
  [[nodiscard]] double most() const { return equal * squares; }
  [[nodiscard]] double value(std::size_t row) const { return column[row] - typical; }
};

Rare describe(const Sheet& sheet, const RareColumn& column) {
  Rare rare;
  rare.column = {sheet.column(column.column), sheet.rows};
  rare.typical = column.usual;
  std::vector<std::size_t> others;
  std::size_t same = 0;
  double sum = 0;
  for (std::size_t i = 0; i < sheet.rows; ++i) {
    const double value = rare.value(i);
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
                      const double first = std::abs(rare.value(a));
                      const double second = std::abs(rare.value(b));
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
    slope[k] = (column[rare.largest[k]] - usual) / rare.value(rare.largest[k]);
  }
  const double unit = middle(slope);
  if (unit == 0) return 0;
  const auto left_in = [&](std::size_t row) {
    return (column[row] - usual) / unit - rare.value(row);
  };
  Left all;
  for (std::size_t i = 0; i < rare.column.size() && all.others <= rare.most(); ++i) {
    all.add(left_in(i));
  }
  return all.others <= rare.most() ? all.worst : 0;
}

// The rows that some rare columns need, each once, and their places.
class NeededRows {
 public:
  NeededRows(std::size_t rows, const std::vector<Rare>& rare) : places_(rows) {
    std::vector<bool> needed(rows);
    for (const Rare& one : rare) {
      if (!one.enough) continue;
      for (const std::size_t row : one.usual) needed[row] = true;
      for (const std::size_t row : one.largest) needed[row] = true;
    }
    for (std::size_t row = 0; row < rows; ++row) {
      places_[row] = rows_.size();
      if (needed[row]) rows_.push_back(row);
    }
  }

  [[nodiscard]] const std::vector<std::size_t>& rows() const { return rows_; }
  [[nodiscard]] std::size_t place(std::size_t row) const { return places_[row]; }

 private:
  std::vector<std::size_t> rows_;
  std::vector<std::size_t> places_;
};

// These rows of the columns from `first` on, row by row.
std::vector<double> row_by_row(const Sheet& sheet, const NeededRows& needed, std::size_t first,
                               std::size_t count, std::size_t stride) {
  const std::vector<std::size_t>& rows = needed.rows();
  std::vector<double> values(rows.size() * stride);
  for (std::size_t c = 0; c < count; ++c) {
    const double* const column = sheet.column(first + c);
    for (std::size_t r = 0; r < rows.size(); ++r) values[r * stride + c] = column[rows[r]];
  }
  return values;
}

TellingRows telling_rows(const Rare& rare, const NeededRows& needed, const double* values,
                         std::size_t stride) {
  TellingRows rows;
  for (std::size_t k = 0; k < votes; ++k) {
    rows.usual[k] = values + needed.place(rare.usual[k]) * stride;
    rows.largest[k] = values + needed.place(rare.largest[k]) * stride;
    rows.values[k] = rare.value(rare.largest[k]);
  }
  rows.most = rare.most();
  return rows;
}

}  // namespace

std::vector<double> left_by_one_row(const Sheet& sheet, std::span<const RareColumn> columns) {
  std::vector<Rare> rare(columns.size());
  in_parallel(columns.size(), [&](std::size_t k) { rare[k] = describe(sheet, columns[k]); });
  const NeededRows needed(sheet.rows, rare);
  if (needed.rows().empty()) return std::vector<double>(columns.size());
  // Whole registers of the widest kind.
  const std::size_t width =
      std::clamp<std::size_t>(block_values / needed.rows().size(), 64, 1024) / 64 * 64;

  std::vector<double> worst(columns.size());
  std::mutex merging;
  in_parallel((sheet.columns() + width - 1) / width, [&](std::size_t block) {
    const std::size_t first = block * width;
    const std::size_t count = std::min(width, sheet.columns() - first);
    const std::vector<double> values = row_by_row(sheet, needed, first, count, width);
    std::vector<double> own(columns.size());
    std::vector<std::uint32_t> possible;
    for (std::size_t k = 0; k < rare.size(); ++k) {
      if (!rare[k].enough) continue;
      find_possible_twins(telling_rows(rare[k], needed, values.data(), width), count, possible);
      for (const std::size_t c : possible) {
        if (columns[k].column == first + c) continue;
        own[k] = std::max(own[k], worst_square(rare[k], sheet.column(first + c)));
      }
    }
    const std::lock_guard lock(merging);
    for (std::size_t k = 0; k < worst.size(); ++k) worst[k] = std::max(worst[k], own[k]);
  });

  std::vector<double> shares(columns.size());
  for (std::size_t k = 0; k < rare.size(); ++k) {
    if (rare[k].enough) shares[k] = worst[k] / (rare[k].squares + worst[k]);
  }
  return shares;
}

}  // namespace fsieve::equation
